package result_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

func TestResults(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	_, round, tables := eventtest.RunningRound(t, s, "open", 3)
	referee, other := rights.Staff(rights.RoleReferee, "Bob"), rights.Staff(rights.RoleReferee, "Cid")
	gameID := tables[0].Games[0].ID
	t.Run("none before the end", func(t *testing.T) {
		if _, err := result.LatestResult(ctx, s, gameID); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), referee,
			result.ConfirmResult{Game: gameID, Rev: 1}); !errors.Is(err,
			refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	if err := eventtest.EndGame(t, s, gameID, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	t.Run("provisional, with the players of the seats, and the game is over", func(t *testing.T) {
		r, err := result.LatestResult(ctx, s, gameID)
		if err != nil || r.Rev != 1 || r.Confirmed() || len(r.Lines) != 3 || r.Lines[2].Tiles != "O2 J" {
			t.Fatalf("got %+v, %v", r, err)
		}
		for i, l := range r.Lines {
			if l.PlayerID != tables[0].Seats[i].PlayerID {
				t.Errorf("seat %d: got player %d", i, l.PlayerID)
			}
		}
		g, err := tournament.FindGame(s.Read.WithContext(ctx), gameID)
		if err != nil || g.Status != game.Finished || g.FinishedAt == 0 {
			t.Errorf("got %+v, %v", g, err)
		}
	})
	t.Run("a second record is refused and changes nothing", func(t *testing.T) {
		if err := eventtest.EndGame(t, s, gameID, eventtest.ThreePlayers()[:2]); !errors.Is(err, refuse.ErrConflict) {
			t.Errorf("got %v", err)
		}
		if all, err := result.Results(ctx, s, gameID); err != nil || len(all) != 1 || len(all[0].Lines) != 3 {
			t.Errorf("got %+v, %v", all, err)
		}
	})
	t.Run("players and the public confirm nothing", func(t *testing.T) {
		player := rights.Actor{Role: rights.RolePlayer, Tournament: round.TournamentID,
			Player: tables[0].Seats[0].PlayerID, Table: tables[0].ID}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), player,
			result.ConfirmResult{Game: gameID, Rev: 1}); !errors.Is(err,
			refuse.ErrForbidden) {
			t.Errorf("got %v", err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), rights.Public(),
			result.ConfirmResult{Game: gameID, Rev: 1}); !errors.Is(err,
			refuse.ErrUnauthenticated) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("confirming twice makes one revision", func(t *testing.T) {
		for range 2 {
			if _, err := action.Do(ctx, eventtest.DeskOf(s), referee,
				result.ConfirmResult{Game: gameID, Rev: 1}); err != nil {
				t.Fatal(err)
			}
		}
		if r, err := result.LatestResult(ctx, s, gameID); err != nil || r.Rev != 2 || !r.Confirmed() ||
			r.Actor != "referee:Bob" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	t.Run("another referee, who saw the revision before, is told", func(t *testing.T) {
		_, err := action.Do(ctx, eventtest.DeskOf(s), other, result.ConfirmResult{Game: gameID, Rev: 1})
		var refusal *refuse.Error
		if !errors.As(err, &refusal) || refusal.Key != "err_result_changed" || refusal.Args["have"] != 2 ||
			refusal.Args["by"] != "referee:Bob" {
			t.Errorf("got %v", err)
		}
	})
}

// wrongCorrections changes a valid correction in ways that are rejected, each with the key of the error.
var wrongCorrections = []struct {
	name   string
	change func(*result.Correction)
	key    string
}{
	{"without a reason", func(c *result.Correction) { c.Why = " " }, "err_why_missing"},
	{"a seat missing", func(c *result.Correction) { c.Lines = c.Lines[:2] }, "err_result_seats"},
	{"a seat twice", func(c *result.Correction) { c.Lines[1].Seat = 0 }, "err_result_seats"},
	{"another player at the seat", func(c *result.Correction) { c.Lines[1].PlayerID = 99 }, "err_result_seats"},
	{"two wins", func(c *result.Correction) { c.Lines[1].Wins = 12 }, "err_result_wins"},
	{"no win", func(c *result.Correction) { c.Lines[0].Wins = 0 }, "err_result_wins"},
	{"a typing mistake", func(c *result.Correction) { c.Lines[0].Points = score.Whole(1_000_000) },
		"err_result_points"},
	{"a charge that no rack comes to", func(c *result.Correction) { c.Lines[1].Charge = 929 }, "err_result_charge"},
	{"a charge below nothing", func(c *result.Correction) { c.Lines[1].Charge = -1 }, "err_result_charge"},
	{"points that no game gives", func(c *result.Correction) { c.Lines[1].Points = -score.Whole(3000) },
		"err_result_points"},
	{"tiles that are none", func(c *result.Correction) { c.Lines[1].Tiles = "R14" }, "err_result_tiles"},
	{"three jokers on two racks", func(c *result.Correction) { c.Lines[1].Tiles = "J J" }, "err_result_face"},
	{"an ending that is none", func(c *result.Correction) { c.Ending = "they were tired" }, "err_result_ending"},
	{"an annulled game with points", func(c *result.Correction) { c.Ending = game.EndingAnnulled },
		"err_result_annulled"},
}

func TestCorrectResult(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour, _, tables := eventtest.RunningRound(t, s, "open", 3)
	referee := rights.Staff(rights.RoleReferee, "Bob")
	gameID := tables[0].Games[0].ID
	if err := eventtest.EndGame(t, s, gameID, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	for _, row := range wrongCorrections {
		t.Run(row.name, func(t *testing.T) {
			c := result.Correction{Lines: eventtest.ThreePlayers(), Why: "counted again"}
			row.change(&c)
			_, err := action.Do(ctx, eventtest.DeskOf(s), referee,
				result.CorrectResult{Game: gameID, Rev: 1, Correction: c})
			if !errors.Is(err, &refuse.Error{Kind: refuse.KindInvalid, Key: row.key}) ||
				strings.Contains(refusetest.Text(t, err), "{{") {
				t.Errorf("got %v, want %s", err, row.key)
			}
		})
	}
	if all, err := result.Results(ctx, s, gameID); err != nil || len(all) != 1 {
		t.Fatalf("got %+v, %v: a refused correction left a trace", all, err)
	}
	mended := eventtest.ThreePlayers()
	mended[0].Points, mended[2].Points, mended[2].Charge = score.Whole(68), score.Whole(-52), 52
	t.Run("a correction is a revision with who and why, and counts", func(t *testing.T) {
		if _, err := action.Do(ctx, eventtest.DeskOf(s), referee, result.CorrectResult{Game: gameID, Rev: 1,
			Correction: result.Correction{Lines: mended, Why: "the joker counts 50"}}); err != nil {
			t.Fatal(err)
		}
		all, err := result.Results(ctx, s, gameID)
		if err != nil || len(all) != 2 || all[0].Lines[0].Points != score.Whole(118) ||
			all[1].Lines[0].Points != score.Whole(68) {
			t.Fatalf("got %+v, %v", all, err)
		}
		if r := all[1]; r.Why != "the joker counts 50" || r.Actor != "referee:Bob" || !r.Confirmed() ||
			r.Ending != ruleset.EndedEmptied {
			t.Errorf("got %+v", r)
		}
		st, err := ranking.StandingsOf(ctx, s, tour.ID)
		if err != nil || st.Rows[0].Points != score.Whole(68) || st.Rows[0].Provisional {
			t.Errorf("got %+v, %v", st.Rows, err)
		}
	})
	t.Run("of a revision that is not the newest, refused", func(t *testing.T) {
		_, err := action.Do(ctx, eventtest.DeskOf(s), referee, result.CorrectResult{Game: gameID, Rev: 1,
			Correction: result.Correction{Lines: mended, Why: "again"}})
		if !errors.Is(err, &refuse.Error{Kind: refuse.KindConflict, Key: "err_result_changed"}) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("an annulled game counts for nobody", func(t *testing.T) {
		none := []game.ResultLine{{Seat: 0}, {Seat: 1}, {Seat: 2}}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, result.CorrectResult{Game: gameID, Rev: 2,
			Correction: result.Correction{Ending: game.EndingAnnulled, Lines: none,
				Why: "dealt wrongly"}}); err != nil {
			t.Fatal(err)
		}
		if st, err := ranking.StandingsOf(ctx, s, tour.ID); err != nil || st.Rows[0].Games != 0 {
			t.Errorf("got %+v, %v", st.Rows, err)
		}
	})
	t.Run("the audit tells before, after and why", func(t *testing.T) {
		entries, err := action.Records(ctx, s, referee, tour.ID, 10)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(entries, func(e action.Record) bool { return e.Why == "the joker counts 50" })
		if i < 0 || !strings.Contains(eventtest.ToldBefore(entries[i]), "118") ||
			!strings.Contains(eventtest.ToldAfter(entries[i]), "68") || entries[i].Actor != "referee:Bob" {
			t.Errorf("got %+v", entries)
		}
	})
}

// TestLateCorrection checks that a correction after the next round was seated names that round and leaves its seats.
func TestLateCorrection(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	tour, first, tables := eventtest.RunningRound(t, s, "open", 3)
	for _, game := range tables[0].Games {
		if err := eventtest.EndGame(t, s, game.ID, eventtest.ThreePlayers()); err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
			result.ConfirmResult{Game: game.ID, Rev: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := draw.RoundByID(ctx, s, first.ID); err != nil || r.Status != tournament.RoundFinished {
		t.Fatalf("got %+v, %v", r, err)
	}
	next, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{Method: "standings"}})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := tournament.TablesOf(s.Read, next.ID)
	swapped := eventtest.ThreePlayers()
	swapped[0].Wins, swapped[1].Wins = 0, score.Whole(1)
	done, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		result.CorrectResult{Game: tables[0].Games[0].ID, Rev: 2,
			Correction: result.Correction{Lines: swapped, Why: "the names were swapped"}})
	after, _ := tournament.TablesOf(s.Read, next.ID)
	seated := done.Rounds
	if err != nil || len(seated) != 1 || seated[0].ID != next.ID || !slices.Equal(before[0], after[0]) {
		t.Errorf("got %+v, %v, seats %v then %v", seated, err, before, after)
	}
}

// TestAResultCountsBesideABrokenLog checks that a broken log stops the next game at its table with an error, but that
// the result counts.
func TestAResultCountsBesideABrokenLog(t *testing.T) {
	s, ctx := eventtest.NewStore(t), context.Background()
	_, _, tables := eventtest.RunningRound(t, s, "open", 3)
	first := tables[0].Games[0].ID
	if err := eventtest.EndGame(t, s, first, eventtest.ThreePlayers()); err != nil {
		t.Fatal(err)
	}
	if err := s.Write.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at) VALUES (?, 1, 'game_started', 1, '{broken', 'event', 1)`, first).Error; err != nil {
		t.Fatal(err)
	}
	eventtest.NewGames(t, s)
	if _, err := action.Do(ctx, eventtest.DeskOf(s), eventtest.Organizer,
		result.ConfirmResult{Game: first, Rev: 1}); err == nil {
		t.Error("the next game has started")
	}
	if r, err := result.LatestResult(ctx, s, first); err != nil || !r.Confirmed() {
		t.Errorf("got %+v, %v", r, err)
	}
}
