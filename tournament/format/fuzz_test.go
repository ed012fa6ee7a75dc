package format

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzParse checks that a parsed format is valid, and that encoding and parsing it again gives the same format.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../data/formats/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{`{}`, `null`, `{"stages":null}`, `{"name":"x","version":1,"stages":[{}]}`,
		`{"name":"x"}{}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		one, err := Parse(data)
		if err != nil {
			return
		}
		written, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(written)
		if twice, _ := json.Marshal(again); err != nil || !reflect.DeepEqual(written, twice) {
			t.Errorf("%s, then %s, %v", written, twice, err)
		}
	})
}
