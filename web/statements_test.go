package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	statementRow = regexp.MustCompile(`(?m)^\| (6\.[3456])\.(\d+)([a-z]?) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)
	quoted       = regexp.MustCompile("`([^`]+)`")
)

// shown holds a row of a list: what holds is shown by something, and whatever the row names, a test, a file, or something in a file,
// is there.
func shown(t *testing.T, tests map[string]bool, number, verdict, where string) {
	t.Helper()
	names := quoted.FindAllStringSubmatch(where, -1)
	if verdict == "holds" && len(names) == 0 {
		t.Errorf("%s is said to hold, and nothing shows it", number)
	}
	for _, n := range names {
		if !tests[n[1]] && !isThere(n[1]) {
			t.Errorf("%s names %s, which is not there", number, n[1])
		}
	}
}

// isThere tells whether a file is in the repository and has in it what is named behind its path, if anything is.
func isThere(name string) bool {
	path, part, _ := strings.Cut(name, " ")
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path)))
	return err == nil && regexp.MustCompile(`\b`+regexp.QuoteMeta(part)+`\b`).Match(text)
}

// TestStatements holds the list of what the screens of officials promise: each statement once and none missing, with its verdict, what
// shows it, and the sums.
func TestStatements(t *testing.T) {
	text, err := os.ReadFile("statements.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, seen, sums := testsOfTheHouse(t), map[string]bool{}, map[string]int{}
	for _, m := range statementRow.FindAllStringSubmatch(string(text), -1) {
		section, number, verdict := m[1], m[1]+"."+m[2], m[5]
		if seen[number+m[3]] || m[3] == "" && seen[number] || m[3] > "a" && !seen[number+string(m[3][0]-1)] {
			t.Errorf("%s%s is there twice, or before another one of its number", number, m[3])
		}
		seen[number], seen[number+m[3]] = true, true
		if !slices.Contains([]string{"holds", "open", "open: public pages"}, verdict) {
			t.Errorf("%s%s: %q is no verdict", number, m[3], verdict)
		}
		sums[section+verdict]++
		shown(t, tests, number+m[3], verdict, m[6])
	}
	for section, n := range map[string]int{"6.3": 15, "6.4": 16, "6.5": 14, "6.6": 13} {
		for i := range n {
			if number := fmt.Sprintf("%s.%d", section, i+1); !seen[number] {
				t.Errorf("%s has no row", number)
			}
		}
		holds, open, public := sums[section+"holds"], sums[section+"open"], sums[section+"open: public pages"]
		if want := fmt.Sprintf("\n| %s | %d | %d | %d | %d |\n", section, holds, open, public, holds+open+public); !strings.Contains(string(text), want) {
			t.Errorf("the sums of %s are not %s", section, strings.TrimSpace(want))
		}
	}
}
