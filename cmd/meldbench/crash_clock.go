package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// jumps are put into Go's own time.Now: the wall clock is an hour ahead, right, and an hour behind, for two seconds each. The clock that
// only ever runs on is as it was.
const jumps = `
	switch mono / 2e9 % 4 {
	case 0:
		sec += 3600
	case 2:
		sec -= 3600
	}
`

// jumpingClock writes into dir what has go build make a program whose machine has a clock that jumps, and gives the file's name.
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
		return "", errors.New("this Go asks for the time in another way: see func Now in " + source)
	}
	return overlaid(dir, source, before+"func Now() Time {\n\t"+after+jumps+rest)
}
