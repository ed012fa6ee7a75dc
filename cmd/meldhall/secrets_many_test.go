package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestSecretsOfManyGames plays whole tournaments over HTTP, like TestWholeEventOverHTTP, until there are
// MELDHALL_SECRET_GAMES games. It searches everything that the server sent for tiles that the reader may not see.
// meldbench fuzz runs it.
func TestSecretsOfManyGames(t *testing.T) {
	want, err := strconv.Atoi(os.Getenv("MELDHALL_SECRET_GAMES"))
	if err != nil {
		t.Skip("MELDHALL_SECRET_GAMES does not say how many; one event is TestWholeEventOverHTTP")
	}
	games, turns, views, others := 0, 0, 0, 0
	for event := 1; games < want; event++ {
		if !t.Run(strconv.Itoa(event), func(t *testing.T) {
			e := playWholeEvent(t, filepath.Join(t.TempDir(), "event.db"), 1)
			if err := e.server.Stop(); err != nil {
				t.Error(err)
			}
			e.testLogs(t)
			e.testSecrets(t)
			games += len(e.games)
			views += e.views
			others += e.others
			for _, states := range e.states {
				turns += states[len(states)-1].Turn.Number
			}
		}) {
			break
		}
	}
	t.Logf("counted: %d games over HTTP; %d turns, %d views of games and %d other bodies searched", games, turns, views,
		others)
}
