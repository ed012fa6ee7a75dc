package formatform

import (
	"encoding/json"
	"net/url"
	"testing"
)

// FuzzRead checks that any form is a format or has problems, and that a format without problems can also be parsed as a
// file.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"name=x&stages=1&stages[0].name=a&stages[0].kind=preliminary&stages[0].rounds=3&stages[0].games_per_round=1",
		"stages=-1", "stages=99999999999999999999", "stages=400&name=%00", "divisions=,,a,a,", "rules.turn_seconds=x",
		"stages=1&stages[0].decide=-9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		form, _ := url.ParseQuery(query)
		values := Values{}
		for field := range form {
			values[field] = form.Get(field)
		}
		one, problems := values.Read()
		if len(problems) > 0 {
			return
		}
		if err := one.Validate(); err != nil {
			t.Errorf("%q: %v", query, err)
		}
		if _, err := json.Marshal(one); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	})
}
