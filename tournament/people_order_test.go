package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// TestPeopleAnyOrder checks that after any sequence of actions, every active player sits exactly once in a drafted
// round, no other player sits there, results stay, and undoing restores the previous state.
func TestPeopleAnyOrder(t *testing.T) {
	s, err := store.OpenScratch(filepath.Join(t.TempDir(), "e.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rapid.Check(t, func(rt *rapid.T) {
		c := &crowd{t: t, s: s}
		c.tour = newTournament(t, s, "open", 7)
		enterPlayers(t, s, c.tour, rapid.IntRange(8, 22).Draw(rt, "players"))
		c.draw()
		history := ""
		for step := range rapid.IntRange(3, 8).Draw(rt, "steps") {
			c.step(rt, step)
			if got := c.played(); !strings.HasPrefix(got, history) {
				rt.Fatalf("history changed:\n%s\nwas\n%s", got, history)
			} else {
				history = got
			}
			c.check(rt)
		}
	})
}

// TestAnOlderStandInDoesNotTakeANewerOnesPlace checks that a removed stand-in is restored only if there is no newer
// one, even though the IDs of deleted rows are reused.
func TestAnOlderStandInDoesNotTakeANewerOnesPlace(t *testing.T) {
	c := newCrowd(t, 8)
	c.publish(c.draw())
	stand := func(number int, name string) PeopleOutcome {
		t.Helper()
		return c.do(Substitute{Tournament: c.tour.ID, Player: c.player(number).ID,
			Entries: []rosterfile.PlayerEntry{{Name: name}}})
	}
	names := func() (out string) {
		ins, err := StandIns(t.Context(), c.s, c.tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range ins {
			out += in.Name + " "
		}
		return out
	}
	for _, last := range []bool{true, false} { // the deleted row is the last one (its ID is reused), or not
		stand(1, "Ann")
		if !last {
			stand(2, "Zoe")
		}
		away := c.do(ReturnInPerson{Tournament: c.tour.ID, Player: c.player(1).ID})
		stand(3, fmt.Sprint("Cid", last))
		newer := stand(1, "Bob")
		was := names()
		_, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: away.Change})
		if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_player"}) || names() != was {
			t.Errorf("last %t: %v; %s stand in, it was %s", last, err, names(), was)
		}
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: newer.Change}); err != nil {
			t.Fatal(err)
		}
	}
}

// played returns all result lines in the order of writing.
func (c *crowd) played() string {
	var lines []string
	c.s.Read.Raw(`SELECT l.id || ':' || l.player_id || ':' || l.points || ':' || l.wins FROM result_lines l JOIN players p ON p.id = l.player_id
		WHERE p.tournament_id = ? ORDER BY l.id`, c.tour.ID).Scan(&lines)
	return strings.Join(lines, " ")
}

func (c *crowd) step(rt *rapid.T, step int) {
	var players []Player
	c.s.Read.Where("tournament_id = ?", c.tour.ID).Order("number").Find(&players)
	who := rapid.SampledFrom(players).Draw(rt, "who")
	kind := rapid.SampledFrom(slices.Concat(slices.Sorted(maps.Keys(peopleKinds)),
		[]string{"publish", "start one", "play", "draw"})).Draw(rt, "kind")
	number := rapid.IntRange(1, 12).Draw(rt, "table")
	said := map[string]any{"tournament": c.tour.ID, "player": who.ID, "number": number,
		"now": rapid.Bool().Draw(rt, "now"), "settings": PeopleSettingsOf{
			Capacity: rapid.SampledFrom([]int{0, 8, 30}).Draw(rt, "capacity"), NoShowMinutes: 10,
			MissedCharge: rapid.IntRange(0, 3).Draw(rt, "charge")}}
	ctx := context.Background()
	round, err := openRound(c.s.Read, c.tour.ID)
	if err != nil {
		rt.Fatal(err)
	}
	switch kind {
	case "draw":
		action.Do(ctx, deskOf(c.s), organizer, PairRound{Tournament: c.tour.ID,
			PairingOptions: PairingOptions{Note: "again"}})
		return
	case "publish":
		if round != nil {
			action.Do(ctx, deskOf(c.s), organizer, PublishRound{Round: round.ID})
		}
		return
	case "start one":
		if round != nil && round.Status != RoundDraft {
			c.startOne(number)
		}
		return
	case "play":
		if round != nil && round.Status != RoundDraft {
			c.play(*round)
			action.Do(ctx, deskOf(c.s), organizer, PairRound{Tournament: c.tour.ID,
				PairingOptions: PairingOptions{Note: "again"}})
		}
		return
	case PeopleEnter:
		said["entries"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("New %d", step)}}
	case PeopleCorrect:
		said["entries"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("Right %d", step), Country: "PL"}}
	case PeopleSubstitute:
		said["entries"], said["keep"] = []rosterfile.PlayerEntry{{Name: fmt.Sprintf("Sub %d", step)}},
			rapid.SampledFrom([]string{KeepEntry, KeepPerson}).Draw(rt, "keep")
	}
	body, err := json.Marshal(said)
	if err != nil {
		rt.Fatal(err)
	}
	a, err := PeopleAction(kind, body)
	if err != nil {
		rt.Fatal(err)
	}
	was := c.people()
	seen, _ := action.Preview(ctx, deskOf(c.s), organizer, a)
	if !maps.Equal(was, c.people()) {
		rt.Fatalf("looking at %s changed something", kind)
	}
	out, err := action.Do(ctx, deskOf(c.s), organizer, a)
	var refusal *refuse.Error
	if err != nil && !errors.As(err, &refusal) {
		rt.Fatalf("%+v: %v", a, err)
	}
	if err == nil && effectKeys(seen.Effects) != effectKeys(out.Effects) {
		rt.Fatalf("%s: looked at %s, did %s", kind, effectKeys(seen.Effects), effectKeys(out.Effects))
	}
	if err != nil && !maps.Equal(was, c.people()) {
		rt.Fatalf("%s was refused (%v) and changed something", kind, err)
	}
	if err == nil && out.Change != 0 && rapid.Bool().Draw(rt, "undo") {
		if _, err := action.Do(ctx, deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil {
			rt.Fatalf("take %+v back: %v", a, err)
		}
		if now := c.people(); !maps.Equal(was, now) {
			a, b := was.against(now)
			rt.Fatalf("taken back, it is %v\nwas %v", b, a)
		}
	}
}

// startOne starts a table of the unfinished round, if it exists.
func (c *crowd) startOne(number int) {
	c.t.Helper()
	round, err := openRound(c.s.Read, c.tour.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	var table Table
	c.s.Read.Where("round_id = ? AND number = ?", round.ID, number).Limit(1).Find(&table)
	if table.ID == 0 {
		return
	}
	if _, err := action.Do(context.Background(), deskOf(c.s), organizer, StartTable{Table: table.ID}); err != nil {
		c.t.Fatal(err)
	}
}

// check compares the unfinished round with the players.
func (c *crowd) check(rt *rapid.T) {
	round, err := openRound(c.s.Read, c.tour.ID)
	if err != nil || round == nil {
		return
	}
	tables, begun, err := placings(c.s.Read, round.ID)
	if err != nil {
		rt.Fatal(err)
	}
	var players []Player
	c.s.Read.Where("tournament_id = ?", c.tour.ID).Find(&players)
	byID, seated := map[int64]Player{}, map[int64]int{}
	for _, p := range players {
		byID[p.ID] = p
	}
	for _, t := range tables {
		if len(t.Players) > 4 || len(t.Players) < 2 && len(tables) > 1 {
			rt.Fatalf("table %d has %d players of %d at %d tables", t.Number, len(t.Players), len(players), len(tables))
		}
		here := 0
		for _, p := range t.Players {
			if !byID[p].Gone {
				here++
			}
		}
		for _, p := range t.Players {
			seated[p]++
			kept := byID[p].Gone && here < 2 // at a table of two, the leaving player's chair stays
			if seated[p] > 1 || !byID[p].Plays() && round.Status != RoundRunning &&
				!(kept && round.Status == RoundPublished) {
				rt.Fatalf("%s (%s) sits %d times", byID[p].Name, byID[p].State, seated[p])
			}
			if byID[p].Gone && !begun[t.ID] && !kept {
				rt.Fatalf("%s has gone and keeps a chair of table %d, which waits with %d players", byID[p].Name,
					t.Number, here)
			}
		}
	}
	if !round.Underway() {
		for _, p := range players {
			if p.Plays() && seated[p.ID] != 1 {
				rt.Fatalf("%s (%s) sits %d times in the draft", p.Name, p.State, seated[p.ID])
			}
		}
	}
}
