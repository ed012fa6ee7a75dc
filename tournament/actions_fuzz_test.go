package tournament

import (
	"encoding/json"
	"testing"

	"meldhall/tournament/door"
)

// FuzzActions: the JSON of every action is read or refused, and what is read is of its kind, and is written and read alike.
func FuzzActions(f *testing.F) {
	var does []*door.Kind
	for _, k := range door.Kinds() {
		if k.Does() {
			does = append(does, k)
		}
	}
	for i := range does {
		for _, seed := range []string{`{}`, `null`, `[]`, `{"why":"x","player":1}`, `{"Why":null}`, `{"tournament":-1}{}`, `{"table":"1"}`} {
			f.Add(uint16(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, body []byte) {
		kind := does[int(which)%len(does)]
		_, _ = kind.Read(body)
		action, err := kind.Decode(body)
		if err != nil || action == nil {
			return
		}
		if door.KindOf(action) != kind {
			t.Fatalf("%s reads a %T", kind.Name, action)
		}
		written, err := json.Marshal(action)
		if err != nil {
			return // what is not kept in JSON has its own way in
		}
		if again, err := kind.Decode(written); err == nil {
			if twice, _ := json.Marshal(again); string(twice) != string(written) {
				t.Errorf("%s: %s, then %s", kind.Name, written, twice)
			}
		}
	})
}
