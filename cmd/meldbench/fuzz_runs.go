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

var counted = regexp.MustCompile(`counted: (\d+) (.*)`)

// fuzzByTest lets a test do it, which says what it has counted. What fails in it is wrong, with all that it has printed.
func fuzzByTest(what, folder, name, variable string, n int) (fuzzRow, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	test := exec.CommandContext(ctx, "go", "test", folder, "-run", "^"+name+"$", "-count=1", "-timeout=0", "-json")
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
