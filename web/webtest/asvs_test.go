package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// levels holds the levels of all requirements of ASVS 5.0.0: one line per chapter, one word per section, and one digit
// per requirement.
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

// asvsAsked returns the numbers of the requirements of levels 1 and 2, in order, and the level of each.
func asvsAsked() (numbers []string, levelOf map[string]string) {
	levelOf = map[string]string{}
	for chapter, sections := range levels {
		for section, digits := range strings.Fields(sections) {
			for i, digit := range digits {
				if digit != '3' {
					number := fmt.Sprintf("%d.%d.%d", chapter+1, section+1, i+1)
					numbers = append(numbers, number)
					levelOf[number] = string(digit)
				}
			}
		}
	}
	return numbers, levelOf
}

// asvsRow matches a row of one requirement, or of several in sequence: first and last number, with a dash between them.
var asvsRow = regexp.MustCompile(`(?m)^\| (\d+\.\d+\.\d+)(?:–(\d+\.\d+\.\d+))? \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$`)

// TestASVS checks the list of requirements. Each one of levels 1 and 2 appears once, with a verdict and a reason. Every
// test, file or word in a file that a row names exists.
func TestASVS(t *testing.T) {
	text, err := os.ReadFile("../guard/asvs.md")
	if err != nil {
		t.Fatal(err)
	}
	numbers, levelOf := asvsAsked()
	tests, seen, sums := testsOfTheHouse(t), map[string]bool{}, map[string]int{}
	for _, m := range asvsRow.FindAllStringSubmatch(string(text), -1) {
		from, to, verdict, where := m[1], m[2], m[4], m[5]
		if to == "" {
			to = from
		}
		first, last := slices.Index(numbers, from), slices.Index(numbers, to)
		if first < 0 || last < first {
			t.Errorf("%s–%s are not requirements of levels 1 and 2", from, to)
			continue
		}
		for _, number := range numbers[first : last+1] {
			if seen[number] {
				t.Errorf("%s appears twice", number)
			}
			seen[number] = true
			sums[levelOf[number]+verdict]++
		}
		if !slices.Contains([]string{"holds", "does not apply", "open"}, verdict) {
			t.Errorf("%s: %q is no verdict", from, verdict)
		}
		shown(t, tests, from, verdict, where)
	}
	for _, number := range numbers {
		if !seen[number] {
			t.Errorf("%s has no row", number)
		}
	}
	for _, level := range []string{"1", "2"} {
		holds, not, open := sums[level+"holds"], sums[level+"does not apply"], sums[level+"open"]
		want := fmt.Sprintf("\n| %s | %d | %d | %d | %d |\n", level, holds, not, open, holds+not+open)
		if !strings.Contains(string(text), want) {
			t.Errorf("the sums of level %s are not %s", level, strings.TrimSpace(want))
		}
	}
}

var quoted = regexp.MustCompile("`([^`]+)`")

// shown checks the evidence of one row. A row that holds must name some. Every name in backquotes must exist: a test, a
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
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	return err == nil && regexp.MustCompile(`\b`+regexp.QuoteMeta(part)+`\b`).Match(text)
}
