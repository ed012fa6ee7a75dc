package tile

import (
	"encoding/json"
	"slices"
	"testing"
)

// FuzzNotation checks that text that is parsed as tiles survives writing and parsing.
func FuzzNotation(f *testing.F) {
	for _, seed := range []string{"R4 J R6", "K13' J' O1", "Y7", "R04", "R14", " \t", "J''", "r4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if faces, err := ParseFaces(text); err == nil {
			var written string
			for _, one := range faces {
				written += " " + one.String()
			}
			if again, err := ParseFaces(written); err != nil || !slices.Equal(faces, again) {
				t.Errorf("%q is %v, then %v, %v", text, faces, again, err)
			}
		}
		var list, again List
		if list.UnmarshalText([]byte(text)) == nil {
			written, err := list.MarshalText()
			if err != nil || again.UnmarshalText(written) != nil || !slices.Equal(list, again) {
				t.Errorf("%q is %v, written %q, then %v, %v", text, list, written, again, err)
			}
		}
	})
}

// FuzzFaceList checks that the list parsed without reflection equals a plain list of texts, for any JSON.
func FuzzFaceList(f *testing.F) {
	for _, seed := range []string{`["R4","J","R6"]`, `[]`, `null`, `[null]`, `["R4",null]`, `["\u0052\u0034"]`,
		` [ "K1" , "K1" ] `, `["R4"]["R5"]`, `["R,4"]`, `[["R4"]]`, `"R4"`, `["R4" "R5"]`, `""`, `"/////w=="`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fast FaceList
		err := json.Unmarshal(data, &fast)
		var texts []*string
		wrong := json.Unmarshal(data, &texts)
		var plain []Face
		for _, text := range texts {
			face, none := Face(0), error(ErrTooMany)
			if text != nil {
				face, none = ParseFace(*text)
			}
			if none != nil {
				wrong = none
			}
			plain = append(plain, face)
		}
		if (err == nil) != (wrong == nil) || err == nil && !slices.Equal([]Face(fast), plain) {
			t.Errorf("%q: %v, %v; want %v, %v", data, fast, err, plain, wrong)
		}
		if err == nil {
			written, err := json.Marshal(fast)
			var again FaceList
			if err != nil || json.Unmarshal(written, &again) != nil || !slices.Equal(fast, again) {
				t.Errorf("%v is written %s, %v", fast, written, err)
			}
		}
	})
}
