package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
)

// The variables by which the tests that send keys and play games are told how many.
const (
	fuzzKeysOf  = "MELDHALL_KEYS"
	fuzzGamesOf = "MELDHALL_SECRET_GAMES"
)

// fuzzKeys sends keys again to the games of a hall.
func fuzzKeys(keys int) (fuzzRow, error) {
	return fuzzByTest("keys that come again", "./tournament/game", "TestKeysComeAgain", fuzzKeysOf, keys)
}

// fuzzGames plays whole events over HTTP with everything that is sent searched.
func fuzzGames(games int) (fuzzRow, error) {
	return fuzzByTest("games, hidden tiles looked for", "./cmd/meldhall", "TestSecretsOfManyGames", fuzzGamesOf, games)
}

var counted = regexp.MustCompile(`(?m)^.*counted: (\d+) (.*)$`)

// fuzzByTest lets a test do it, which says what it has counted. What it finds wrong is in its output.
func fuzzByTest(what, folder, name, variable string, n int) (fuzzRow, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	test := exec.CommandContext(ctx, "go", "test", folder, "-run", "^"+name+"$", "-count=1", "-timeout=0", "-v")
	test.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, n))
	said, err := test.CombinedOutput()
	row := fuzzRow{what: what}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		for line := range strings.Lines(string(said)) {
			if strings.Contains(line, "_test.go:") && !counted.MatchString(line) {
				row.wrong = append(row.wrong, strings.TrimSpace(line))
			}
		}
		if len(row.wrong) == 0 {
			return row, fmt.Errorf("fuzz: %s: %w\n%s", name, err, said)
		}
	} else if err != nil {
		return row, err
	}
	if line := counted.FindStringSubmatch(string(said)); line != nil {
		row.count, _ = strconv.Atoi(line[1])
		row.facts = "  " + line[2] + "\n"
	}
	return row, nil
}
