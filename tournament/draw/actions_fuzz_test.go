package draw_test

import (
	"encoding/json"
	"testing"

	"meldhall/tournament/action"
)

// FuzzActions checks that every action's JSON is decoded or rejected, that a decoded action has the right kind, and
// that encoding it again gives the same JSON.
func FuzzActions(f *testing.F) {
	var does []*action.Kind
	for _, k := range action.Kinds() {
		if k.Does() {
			does = append(does, k)
		}
	}
	for i := range does {
		for _, seed := range []string{`{}`, `null`, `[]`, `{"why":"x","player":1}`, `{"Why":null}`,
			`{"tournament":-1}{}`, `{"table":"1"}`} {
			f.Add(uint16(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, body []byte) {
		kind := does[int(which)%len(does)]
		_, _ = kind.Read(body)
		act, err := kind.Decode(body)
		if err != nil || act == nil {
			return
		}
		if action.KindOf(act) != kind {
			t.Fatalf("%s reads a %T", kind.Name, act)
		}
		written, err := json.Marshal(act)
		if err != nil {
			return // values that cannot be JSON reach the action another way
		}
		if again, err := kind.Decode(written); err == nil {
			if twice, _ := json.Marshal(again); string(twice) != string(written) {
				t.Errorf("%s: %s, then %s", kind.Name, written, twice)
			}
		}
	})
}
