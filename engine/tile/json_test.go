package tile

import (
	"encoding/json"
	"slices"
	"testing"
)

// FaceList reads exactly what a plain []Face reads.
func TestFaceListReadsAsASliceDoes(t *testing.T) {
	for _, text := range []string{
		`[]`, `["R4"]`, `["R4","J","R6"]`, " [ \"Y4\" ,\n\"K13\" ] ", `null`, `["\u0052\u0034"]`,
		`["R14"]`, `["R4",5]`, `[null]`, `"R4"`, `{}`, `["R4""R5"]`, `[["R4"]]`, `["r4"]`, `[""]`,
	} {
		var list FaceList
		var plain []Face
		got, want := json.Unmarshal([]byte(text), &list), json.Unmarshal([]byte(text), &plain)
		if (got == nil) != (want == nil) || got == nil && (!slices.Equal(list, plain) || (list == nil) != (plain == nil)) {
			t.Errorf("%s: got %v, %v, want %v, %v", text, list, got, plain, want)
		}
	}
}
