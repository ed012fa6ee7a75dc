package main

import (
	"testing"

	"meldhall/cmd/internal/secrecy"
)

// testSecrets checks everything that the server sent against the logs.
func (e *wholeEvent) testSecrets(t *testing.T) {
	games := map[int64]secrecy.Game{}
	for id, states := range e.states {
		games[id] = secrecy.Game{Players: e.games[id].Players, States: states}
	}
	f, err := e.heard.Check(games)
	if err != nil {
		t.Error(err)
	}
	e.views, e.others = 0, f.Others
	for _, n := range f.Views {
		e.views += n
	}
	t.Logf("%d views (%v), %d other bodies", e.views, f.Views, f.Others)
	if f.Views[secrecy.Player] < 3000 || f.Views[secrecy.Public] < 2*len(e.games) {
		t.Errorf("too few views to prove anything: %v", f.Views)
	}
}
