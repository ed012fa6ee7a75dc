package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFaults checks that each of the 58 cases has a row, with tests that exist or with a note about the gap.
func TestFaults(t *testing.T) {
	for i, f := range faults {
		if f.number != i+1 || f.says == "" || f.goal == "" {
			t.Errorf("row %d is %+v", i+1, f)
		}
		if f.tests == "" && f.open == "" {
			t.Errorf("%d is shown by nothing", f.number)
		}
		for _, test := range strings.Fields(f.tests) {
			folder, name, _ := strings.Cut(test, ".")
			if !standsIn(t, folder, name) {
				t.Errorf("%d names %s, which is no test", f.number, test)
			}
		}
	}
	if len(faults) != 58 {
		t.Errorf("%d cases", len(faults))
	}
	var out bytes.Buffer
	if err := (faultsCmd{Cases: numbers{53, 12}}).report(t.Context(), &out); err != nil ||
		strings.Count(out.String(), "goal:") != 2 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := (faultsCmd{Cases: numbers{59}}).report(t.Context(), &out); err == nil {
		t.Error("there is a case 59")
	}
}

// TestCasesAreChosen checks that cases are chosen by number and by range, and that anything else is rejected.
func TestCasesAreChosen(t *testing.T) {
	for text, want := range map[string]int{"7": 1, "21-32": 12, "3,21-22": 3, "58": 1, "0": 0, "59": 0, "5-4": 0, "": 0,
		"a": 0, "1-": 0, "1-99": 0} {
		var got numbers
		if err := got.UnmarshalText([]byte(text)); (err != nil) != (want == 0) || err == nil && len(got) != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// TestEndsAreRead checks that the output of a test and its subtests becomes its figures.
func TestEndsAreRead(t *testing.T) {
	got := readEnds([]byte(`{"Action":"output","Package":"meldhall/web","Test":"TestA/x","Output":"    a_test.go:7: back after 3 ms\n"}
{"Action":"pass","Package":"meldhall/web","Test":"TestA/x","Elapsed":1}
{"Action":"output","Package":"meldhall/web","Test":"TestA","Output":"--- PASS: TestA (2.00s)\n"}
{"Action":"pass","Package":"meldhall/web","Test":"TestA","Elapsed":2}
{"Action":"pass","Package":"meldhall/web","Test":"TestB","Elapsed":2}
`), map[string]bool{"TestA": true})
	if one := got["web.TestA"]; len(got) != 1 || one.how != "pass 2.0 s" || len(one.figures) != 1 ||
		one.figures[0] != "back after 3 ms" {
		t.Errorf("%+v", got)
	}
}

func standsIn(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing\.T\)`).Match(source) {
			return true
		}
	}
	return false
}
