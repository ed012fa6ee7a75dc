package archive

import (
	"strings"
	"testing"

	"meldhall/tournament"
)

// needing plays a tournament whose players have families and extra time.
func needing(t *testing.T) (*hall, tournament.Tournament) {
	h := newHall(t)
	e := h.event(7)
	players, err := tournament.Players(t.Context(), h.DB, e.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		do(h, tournament.SetFamily{Player: p.ID, Family: "Montecchi"})
	}
	do(h, tournament.SetExtraTime{Player: players[1].ID, Seconds: 43, Why: "a broken wrist"})
	for e.Status != tournament.StatusFinished {
		for _, table := range h.start(e) {
			h.play(table.Game)
		}
		if e, err = tournament.TournamentByID(t.Context(), h.DB, e.ID); err != nil {
			t.Fatal(err)
		}
	}
	return h, e
}

// TestNeedsStayAtHome checks that no file of an archive reveals a player's family or extra time: neither the players,
// the records nor the reports of the draws. The archive must still verify.
func TestNeedsStayAtHome(t *testing.T) {
	h, e := needing(t)
	a, data := h.packed(e)
	for name, file := range a.files {
		for _, secret := range []string{"Montecchi", "family", "broken wrist", "extra_time", "seconds\":43"} {
			if strings.Contains(string(file), secret) && name != formatName && name != rulesName {
				t.Errorf("%s has %s", name, secret)
			}
		}
		if strings.Contains(string(file), "extra_seconds") && !strings.HasPrefix(name, "games/") {
			t.Errorf("%s has extra_seconds", name)
		}
	}
	read, err := Read(data)
	if err == nil {
		_, err = read.Verify(t.Context())
	}
	if err != nil {
		t.Error(err)
	}
}
