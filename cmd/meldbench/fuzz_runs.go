package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
)

// Environment variables that set how many keys and games the tests use.
const (
	fuzzKeysOf  = "MELDHALL_KEYS"
	fuzzGamesOf = "MELDHALL_SECRET_GAMES"
)

// fuzzKeys plays the games of a hall and sends commands with keys that were already used.
func fuzzKeys(keys int) (fuzzRow, error) {
	return fuzzByTest("keys that come again", "./tournament/game", "TestKeysComeAgain", fuzzKeysOf, keys)
}

// fuzzGames plays whole tournaments over HTTP and searches everything that the server sends for hidden tiles.
func fuzzGames(games int) (fuzzRow, error) {
	return fuzzByTest("games, hidden tiles looked for", "./cmd/meldhall", "TestSecretsOfManyGames", fuzzGamesOf, games)
}

var counted = regexp.MustCompile(`counted: (\d+) (.*)`)

// fuzzByTest runs a test that prints what it counted. Failures are listed with their output.
func fuzzByTest(what, folder, name, variable string, n int) (fuzzRow, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	test := exec.CommandContext(ctx, "go", "test", "-C", checkout, folder, "-run", "^"+name+"$", "-count=1",
		"-timeout=0", "-json")
	test.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, n))
	said, err := test.Output()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return fuzzRow{}, err
	}
	row := fuzzRow{what: what}
	lines := map[string][]string{}
	for line := range bytes.Lines(said) {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if figure := counted.FindStringSubmatch(e.Output); figure != nil {
			row.count, _ = strconv.Atoi(figure[1])
			row.facts = "  " + figure[2] + "\n"
		} else if e.Action == "output" {
			lines[e.Test] = append(lines[e.Test], e.Output)
		} else if e.Action == "fail" && len(lines[e.Test]) > 0 && (e.Test != name || len(row.wrong) == 0) {
			row.wrong = append(row.wrong, e.Test+"\n"+strings.Join(lines[e.Test], ""))
		}
	}
	if err != nil && len(row.wrong) == 0 || row.count == 0 {
		return row, fmt.Errorf("fuzz: %s counted nothing: %w", name, err)
	}
	return row, nil
}
