#!/bin/sh
# A whole job as a shell script: every answer goes through jq, every id through a pipe.
# Needs dbridge and jq on PATH, $URL (the sample app) and $CHROMIUM.
set -eu

must() { "$@" | jq -e 'if .ok then .data else error(.error.code + ": " + .error.message) end'; }

# Start, open, read.
must dbridge session start --headless --executable "$CHROMIUM" | jq -r '"browser \(.profile)"'
must dbridge page open "$URL/app/" | jq -r .title
must dbridge runtime eval --function '() => document.title' | jq -r .value

# Fill, press, wait for what comes of it.
jq -n '{"textbox \"Email\"": "ada@harbour.test", "textbox \"Password\"": "fathoms-and-knots"}' >values.json
must dbridge element fill-form "$(cat values.json)" | jq -r '"filled \(.filled)"'
must dbridge input key Enter >/dev/null
must dbridge page wait-text 'Signed in as Ada' | jq -r .matched

# Look: the tree, what was asked of the server, what the console said.
must dbridge capture snapshot | jq -r .tree | grep -c 'Add to cart\|to the cart' | xargs test 10 -lt && echo 'snapshot has products'
must dbridge network list --method POST | jq -r '.requests[] | "\(.method) \(.status) \(.url)"'
must dbridge network list --status error --fields requests.id,requests.url | jq -r '.requests[].id' | while read -r id; do
  must dbridge network get "$id" --include responseBody | jq -r .responseBody.text | jq -r .message
done
must dbridge console list --level error | jq -r '.messages | length > 0 | "console has errors: \(.)"'

# An id from one answer is the argument of the next.
PAGE_ID=$(must dbridge page list --output json | jq -r '.pages[] | select(.current) | .pageId')
must dbridge page use --page "$PAGE_ID" --output json | jq -r 'has("pageId") | "chosen: \(.)"'

# The exit status says what to do: 3 is "not there", so look at what is.
code=0
dbridge page use --page 999 --output json >out.json 2>err.txt || code=$?
echo "exit $code $(jq -r .error.code out.json)"
if [ "$code" -eq 3 ]; then
  suggestion=$(jq -r '.error.suggestions[] | select(startswith("dbridge "))' out.json | head -n 1)
  $suggestion | jq -e '.data.pages | length > 0' >/dev/null && echo "went on with: $suggestion"
fi

# A list of commands in one go, one envelope a line.
printf 'runtime eval 1+1\nobserve state\n' | dbridge run - | jq -rs '"batch \(map(.ok) | all) \(.[0].data.value)"'

must dbridge session stop | jq -r '"stopped \(.stopped)"'
code=0
dbridge runtime eval 1 >out.json || code=$?
echo "exit $code $(jq -r .error.code out.json)"
