package tournament

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestErrorKeysHaveTexts reads the code: every key that it makes has a text, and every text is used.
func TestErrorKeysHaveTexts(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.go", "format/*.go", "pairing/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	used := map[string]bool{}
	literal := regexp.MustCompile(`"(err_[a-z0-9_]+)"`)
	entity := regexp.MustCompile(`missing\(err, "([a-z]+)"`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "errors_text.go" {
			continue
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllSubmatch(code, -1) {
			if key := string(m[1]); !strings.HasSuffix(key, "_") {
				used[key] = true
			}
		}
		for _, m := range entity.FindAllSubmatch(code, -1) {
			used["err_"+string(m[1])+"_not_found"] = true
		}
	}
	for key := range used {
		if errorTexts[key] == "" {
			t.Errorf("%s has no text", key)
		}
	}
	for key := range errorTexts {
		if !used[key] {
			t.Errorf("%s is made nowhere", key)
		}
	}
	if len(used) < 70 {
		t.Errorf("found %d keys in %d files: the test reads the wrong files", len(used), len(files))
	}
}

func TestError(t *testing.T) {
	err := Refuse(Conflict, "err_seat_taken", "table", 7, "seat", 2)
	if got, want := err.Error(), "Seat 2 at table 7 is taken."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, ErrConflict) || errors.Is(err, ErrInvalid) {
		t.Error("the kind does not match its sentinel alone")
	}
	if !errors.Is(err, &Error{Kind: Conflict, Key: "err_seat_taken"}) || errors.Is(err, &Error{Kind: Conflict, Key: "err_code_used"}) {
		t.Error("the key does not match")
	}
}
