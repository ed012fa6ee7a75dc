package organization_test

import (
	"context"
	"errors"
	"testing"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store/storetest"
)

// past gives a tournament of an organization a table with finished games, each with a number of log events.
func past(e *actiontest.Event, event tournament.Tournament, games, events int) (round, table, last int64) {
	e.Helper()
	by := &actiontest.Event{TB: e.TB, Desk: e.Desk, Tournament: event}
	first := actiontest.Do(by, draw.PairRound{Tournament: event.ID})
	actiontest.Do(by, draw.PublishRound{Round: first.ID})
	actiontest.Do(by, draw.StartRound{Round: first.ID})
	by.Finish(first.ID)
	if err := e.DB.WriteSQL.QueryRow("SELECT id FROM tables WHERE round_id = $1", first.ID).Scan(&table); err != nil {
		e.Fatal(err)
	}
	for _, sql := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO games (tournament_id, table_id, number, status) SELECT $2, $3, i, 'finished' FROM n`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO game_events (game_id, seq, kind, version, data, actor, at)
			SELECT g.id, i, 'tile_drawn', 1, '{}', 'player:1', 1 FROM n CROSS JOIN games g WHERE g.tournament_id = $2
				AND g.table_id = $3 AND g.number > 1`,
	} {
		most := games
		if sql[len(sql)-1] == '1' {
			most = events
		}
		if _, err := e.DB.WriteSQL.Exec(sql, most, event.ID, table); err != nil {
			e.Fatal(err)
		}
	}
	if err := e.DB.WriteSQL.QueryRow("SELECT max(id) FROM games WHERE table_id = $1", table).Scan(&last); err != nil {
		e.Fatal(err)
	}
	return first.ID, table, last
}

// TestDeleteGoesOn checks that an organization whose deletion was interrupted is hidden and is deleted when the program
// next starts.
func TestDeleteGoesOn(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	ctx := t.Context()
	before := tables(e)
	blue, ann := hosted(e, "blue", organization.Limits{Events: 9})
	event, err := made(e, ann, "Xylophone Cup")
	if err != nil {
		t.Fatal(err)
	}
	round, table, last := past(e, event, 25, 3)
	storetest.Break(t, e.DB, "BEFORE DELETE ON rounds")
	if _, err := e.Do(ctx, actiontest.Organizer, organization.Delete{Organization: blue.ID}); err == nil {
		t.Fatal("its rounds went though they could not")
	}
	for what, ask := range map[string]func() error{
		"its event": func() error { _, err := tournament.TournamentByID(ctx, e.DB, event.ID); return err },
		"its round": func() error { _, err := draw.RoundByID(ctx, e.DB, round); return err },
		"its table": func() error { _, err := tournament.TableByID(ctx, e.DB, table); return err },
		"a game":    func() error { _, err := e.Games.Look(ctx, last); return err },
		"it": func() error {
			_, err := organization.Find(ctx, e.DB, actiontest.Organizer,
				blue.ID)
			return err
		},
		"its pages":   func() error { _, err := organization.BySlug(ctx, e.DB, blue.Slug); return err },
		"an official": func() error { _, err := account.AccountActor(ctx, e.DB, ann.Account); return err },
		"its limits": func() error {
			_, err := e.Do(ctx, actiontest.Organizer, organization.SetLimits{Organization: blue.ID})
			return err
		},
		"it, again": func() error {
			_, err := e.Do(ctx, actiontest.Organizer, organization.Delete{Organization: blue.ID})
			return err
		},
	} {
		if err := ask(); !errors.Is(err, refuse.ErrNotFound) && !errors.Is(err, refuse.ErrUnauthenticated) {
			t.Errorf("%s is there: %v", what, err)
		}
	}
	all, err := organization.All(ctx, e.DB, actiontest.Organizer)
	events, err2 := tournament.Tournaments(ctx, e.DB)
	if len(all) != 0 || len(events) != 1 || err != nil || err2 != nil {
		t.Errorf("listed are %+v and %d events, %v, %v", all, len(events), err, err2)
	}
	_, err = e.Do(ctx, actiontest.Organizer, organization.Create{Slug: "blue",
		Texts: organization.Texts{Name: "Another"}})
	refused(t, "its short name, meanwhile", err, "err_organization_slug_taken")
	if err := organization.GoOn(ctx, e.DB); err == nil {
		t.Error("its rounds went though they could not")
	}
	storetest.Mend(t, e.DB)
	for range 2 { // the second call has nothing to do
		if err := organization.GoOn(ctx, e.DB); err != nil {
			t.Fatal(err)
		}
	}
	before["accounts"]++
	before["audit"]++
	before["record_chains"]++ // the first record in the server's own chain
	before["backups"]++
	for name, n := range tables(e) {
		if before[name] != n && name != "heartbeat" {
			t.Errorf("%s has %d rows, had %d", name, n, before[name])
		}
	}
	hosted(e, "blue", organization.Limits{})
}

// TestTurnsAreWrittenMeanwhile checks that games of other tournaments on the server do not wait for the deletion of an
// organization.
func TestTurnsAreWrittenMeanwhile(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	own := actiontest.Do(e, draw.PairRound{Tournament: e.ID})
	actiontest.Do(e, draw.PublishRound{Round: own.ID})
	actiontest.Do(e, draw.StartRound{Round: own.ID})
	games, err := game.CurrentInRound(t.Context(), e.DB, own.ID)
	if err != nil || len(games) != 1 {
		t.Fatalf("%+v, %v", games, err)
	}
	gametest.ReadyAll(t, e.Games, games[0].Game)
	blue, ann := hosted(e, "blue", organization.Limits{Events: 9})
	event, err := made(e, ann, "Xylophone Cup")
	if err != nil {
		t.Fatal(err)
	}
	past(e, event, 100, 100)
	gone := make(chan error, 1)
	go func() {
		_, err := action.Do(context.WithoutCancel(t.Context()), e.Desk, actiontest.Organizer,
			organization.Delete{Organization: blue.ID})
		gone <- err
	}()
	going := func() (n int) {
		if err := e.DB.ReadSQL.QueryRow("SELECT count(*) FROM organizations WHERE deleting <> 0").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	turns := 0
	for over := false; !over; {
		select {
		case err := <-gone:
			if over = true; err != nil {
				t.Error(err)
			}
		default:
			if going() > 0 && turn(t, e.Games, games[0].Game) && going() > 0 {
				turns++
			}
		}
	}
	if turns < 5 {
		t.Errorf("%d turns were written meanwhile", turns)
	}
	t.Logf("%d turns were written meanwhile", turns)
}

// turn draws for the seat whose turn it is, or reports that the game is over.
func turn(t *testing.T, g *game.Games, id int64) bool {
	t.Helper()
	snap := gametest.Look(t, g, id)
	if snap.State.Phase != engine.PhasePlaying || len(snap.State.Pool) == 0 {
		return false
	}
	at := snap.State.Turn
	if _, err := g.Submit(t.Context(), gametest.Player(snap, at.Seat), id, "",
		engine.Draw{Seat: at.Seat, Turn: at.Number}); err != nil {
		t.Fatal(err)
	}
	return true
}
