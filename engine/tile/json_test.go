package tile

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestFaceListReadsAsASliceDoes checks that a FaceList decodes like a plain []Face. The exceptions are forms that
// encoding/json accepts for a list of bytes: a base64 string, which could name faces that do not exist, and null for
// the face 0.
func TestFaceListReadsAsASliceDoes(t *testing.T) {
	for _, text := range []string{
		`[]`, `["R4"]`, `["R4","J","R6"]`, " [ \"Y4\" ,\n\"K13\" ] ", `null`, `["\u0052\u0034"]`,
		`["R14"]`, `["R4",5]`, `"R4"`, `{}`, `["R4""R5"]`, `[["R4"]]`, `["r4"]`, `[""]`,
	} {
		var list FaceList
		var plain []Face
		got, want := json.Unmarshal([]byte(text), &list), json.Unmarshal([]byte(text), &plain)
		if (got == nil) != (want == nil) || got == nil && (!slices.Equal(list, plain) ||
			(list == nil) != (plain == nil)) {
			t.Errorf("%s: got %v, %v, want %v, %v", text, list, got, plain, want)
		}
	}
}

func TestNothingElseIsATile(t *testing.T) {
	for _, text := range []string{`"/////w=="`, `"AAAA"`, `""`, `[null]`, `["R4",null]`, `[["R4"]]`, `7`} {
		if list := (FaceList{}); json.Unmarshal([]byte(text), &list) == nil {
			t.Errorf("%s is read as %d tiles", text, len(list))
		}
	}
}
