package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFaults: each of the 58 cases has a row, with tests that there are or with what is not shown.
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
	if err := (faultsCmd{Case: []int{53, 12}}).report(t.Context(), &out); err != nil || strings.Count(out.String(), "goal:") != 2 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := (faultsCmd{Case: []int{59}}).report(t.Context(), &out); err == nil {
		t.Error("there is a case 59")
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
