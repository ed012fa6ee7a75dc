package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// jumps replaces Go's time.Now. The wall clock is an hour ahead, then correct, then an hour behind, for two seconds
// each. The monotonic clock is unchanged.
const jumps = `
	switch mono / 2e9 % 4 {
	case 0:
		sec += 3600
	case 2:
		sec -= 3600
	}
`

// jumpingClock writes files into dir that make go build produce a program with a jumping clock, and returns the overlay
// file's name.
func jumpingClock(ctx context.Context, dir string) (overlay string, err error) {
	const after = "sec, nsec, mono := runtimeNow()\n"
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	before, rest, ok := strings.Cut(string(text), "func Now() Time {\n\t"+after)
	if !ok {
		return "", errors.New("this Go version reads the time differently: see func Now in " + source)
	}
	return overlaid(dir, source, before+"func Now() Time {\n\t"+after+jumps+rest)
}
