package guard

import (
	"context"
	"errors"
	"slices"
	"testing"
)

type recorder struct {
	name   string
	refuse error
	heard  *[]string
}

func (r recorder) Before(_ context.Context, d *Deed) (func(Outcome), error) {
	*r.heard = append(*r.heard, "ask "+r.name)
	if r.refuse != nil {
		return nil, r.refuse
	}
	d.Agent += r.name
	return func(out Outcome) {
		word := "ok"
		if out.Err != nil {
			word = out.Err.Error()
		}
		*r.heard = append(*r.heard, "told "+r.name+" "+word)
	}, nil
}

func TestChain(t *testing.T) {
	t.Parallel()
	var heard []string
	no := errors.New("no")
	a, b, c := recorder{"a", nil, &heard}, recorder{"b", no, &heard}, recorder{"c", nil, &heard}
	d := &Deed{}
	done, err := Chain{a, c}.Before(t.Context(), d)
	if err != nil || d.Agent != "ac" {
		t.Fatalf("%v, agent %q", err, d.Agent)
	}
	done(Outcome{})
	done2, err := Chain{a, b, c}.Before(t.Context(), &Deed{})
	if !errors.Is(err, no) {
		t.Fatalf("not refused: %v", err)
	}
	done2(Outcome{}) // tells nobody a second time
	want := []string{"ask a", "ask c", "told c ok", "told a ok", "ask a", "ask b", "told a no"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}
