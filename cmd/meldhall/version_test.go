package main

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	if err := writeVersion(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "meldhall ") || !strings.Contains(lines[3], runtime.Version()) ||
		strings.HasSuffix(lines[4], " 0") {
		t.Errorf("got\n%s", out.String())
	}
}
