package layout

var clipRules = []Rule{}
