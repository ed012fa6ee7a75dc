package pagetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/templates/part"
)

// TestReasonsHaveOneLength checks that every field for a reason has the length limit that the error for longer ones
// states.
func TestReasonsHaveOneLength(t *testing.T) {
	files, err := filepath.Glob("../*/*.templ")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	reason := regexp.MustCompile(`name="(why|reason|note|text)"|@(?:part\.)?Field\("(why|reason)"`)
	fields := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if filepath.Base(name) != "board_staff.templ" /* what a board says is no reason */ &&
				reason.MatchString(line) &&
				strings.Contains(line, "maxlength") {
				fields++
				if !strings.Contains(line, "ReasonMost") {
					t.Errorf("%s:%d has a length of its own: %s", name, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
	if fields < 10 || part.ReasonMost != "500" || engine.ReasonMost != 500 {
		t.Errorf("%d fields, of %s characters", fields, part.ReasonMost)
	}
}
