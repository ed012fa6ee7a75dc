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

// levels are the levels of all requirements of ASVS 5.0.0: a line for each chapter, in it a word for each section, in that a digit for
// each requirement.
var levels = []string{
	"22 1111122223 112222222223 222 123",
	"122 112 12223 23",
	"3 113 12223 11222233 11122333 3 22333",
	"12233 23333 22 1222",
	"2 112333 113 222",
	"122 111111112222 11223333 112233 22222333 2223 33 2222",
	"222 1111 22 11222 223 22",
	"1233 1123 133 23",
	"111 1222",
	"22 223 22223 1111122222233333 22222 22 222",
	"2233 22233 11233 1222 23 23 33",
	"12233 11 22223",
	"2333 222223 2233 1222233",
	"22 12223333 122",
	"12233 12233 1222222 3333",
	"2 22222 2222 222 2223",
	"23 22223333 22",
}

// asvsAsked are the numbers of the requirements of levels 1 and 2, with their level.
func asvsAsked() map[string]string {
	all := map[string]string{}
	for chapter, sections := range levels {
		for section, digits := range strings.Fields(sections) {
			for i, level := range digits {
				if level != '3' {
					all[fmt.Sprintf("%d.%d.%d", chapter+1, section+1, i+1)] = string(level)
				}
			}
		}
	}
	return all
}

var asvsRow = regexp.MustCompile(`(?m)^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)

// TestASVS holds the list of what is asked for and where it is shown: each requirement of levels 1 and 2 once, with its level, its
// verdict and a reason; and whatever a row names, a test, a file, or something in a file, is there.
func TestASVS(t *testing.T) {
	text, err := os.ReadFile("guard/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	left, tests, sums := asvsAsked(), testsOfTheHouse(t), map[string]int{}
	for _, m := range asvsRow.FindAllStringSubmatch(string(text), -1) {
		number, level, verdict, where := m[1], m[2], m[4], m[5]
		if left[number] != level {
			t.Errorf("%s of level %s: there twice, or no requirement of that level", number, level)
		}
		delete(left, number)
		sums[level+verdict]++
		if !slices.Contains([]string{"holds", "does not apply", "open"}, verdict) {
			t.Errorf("%s: %q is no verdict", number, verdict)
		}
		shown(t, tests, number, verdict, where)
	}
	for number := range left {
		t.Errorf("%s has no row", number)
	}
	for _, level := range []string{"1", "2"} {
		holds, not, open := sums[level+"holds"], sums[level+"does not apply"], sums[level+"open"]
		if want := fmt.Sprintf("\n| %s | %d | %d | %d | %d |\n", level, holds, not, open, holds+not+open); !strings.Contains(string(text), want) {
			t.Errorf("the sums of level %s are not %s", level, strings.TrimSpace(want))
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// shown checks the evidence of one row. A row that holds must name some, and every name in backquotes must exist: a test, a
// file, or a file and a word in it.
func shown(t *testing.T, tests map[string]bool, number, verdict, where string) {
	t.Helper()
	names := quoted.FindAllStringSubmatch(where, -1)
	if verdict == "holds" && len(names) == 0 {
		t.Errorf("%s holds, but names no evidence", number)
	}
	for _, n := range names {
		if !tests[n[1]] && !isThere(n[1]) {
			t.Errorf("%s names %s, which does not exist", number, n[1])
		}
	}
}

// isThere reports whether a file of the repository exists and contains the word after its path, if there is one.
func isThere(name string) bool {
	path, part, _ := strings.Cut(name, " ")
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(path)))
	return err == nil && regexp.MustCompile(`\b`+regexp.QuoteMeta(part)+`\b`).Match(text)
}
