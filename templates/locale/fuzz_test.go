package locale

import (
	"testing"
	"testing/fstest"
)

// FuzzReadTexts checks that readTexts accepts or rejects any custom language file.
func FuzzReadTexts(f *testing.F) {
	for _, seed := range []string{`{}`, `null`, `[]`, `{"a":"b"}`, `{"a":{"one":"x","other":"{{.n}}"}}`, `{"a":null}`,
		`{"a":{"one":null}}`, `{"a":"{{"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		texts, err := ReadTexts(fstest.MapFS{"xx.json": {Data: data}}, "xx.json")
		for key, forms := range texts {
			if err == nil && forms == nil {
				t.Errorf("%q has no text", key)
			}
		}
	})
}
