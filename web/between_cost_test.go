package web

import (
	"context"
	"os"
	"testing"
	"time"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/page"
	"meldhall/web/request"
)

// TestCostBetweenGames measures what a result costs that is rendered for all waiting players, compared with reading the
// standings once. It uses a small tournament, or the played one in the database named by MELDHALL_EVENT (meldhall
// simulate --players 400 --db e.db).
func TestCostBetweenGames(t *testing.T) {
	h := playedHall(t)
	s := views{h.server.View}
	ctx := h.server.Request.Texts.With(context.Background(), "en")
	type place struct {
		Event, Player, Table, Game int64
		Seat                       int
	}
	players, err := store.All[place](h.store.Read.Table("seats s").Joins("JOIN rounds r ON r.id = s.round_id").Joins("JOIN games g ON g.table_id = s.table_id").
		Where("r.number = 1 AND g.status = 'finished'").Group("s.id, r.tournament_id").Select(`r.tournament_id event, s.player_id player, s.seat, s.table_id "table", max(g.id) game`))
	if err != nil || len(players) < 4 {
		t.Fatal(players, err)
	}
	each := func(what string, draw func(ctx context.Context, at request.SeatAt) (size int, err error)) {
		took, size := time.Duration(0), 0
		for range 3 {
			h.server.View.Moved(players[0].Event)
			for _, p := range players {
				me := rights.Actor{Role: rights.RolePlayer, Tournament: p.Event, Player: p.Player, Table: p.Table,
					Seat: p.Seat}
				snap, err := h.games.Look(ctx, p.Game)
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				size, err = draw(displayname.For(ctx, me), request.SeatAt{Me: me, Snap: snap})
				if took += time.Since(began); err != nil {
					t.Fatal(err)
				}
			}
		}
		if size > betweenMost {
			t.Errorf("%s is %d bytes", what, size)
		}
		t.Logf("%-24s %6d µs for each of %d players, %d bytes", what,
			(took / time.Duration(3*len(players))).Microseconds(), len(players), size)
	}
	each("the standings, read", func(ctx context.Context, at request.SeatAt) (int, error) {
		_, err := tournament.StandingsAt(ctx, h.store, at.Me.Tournament, tournament.Always)
		return 0, err
	})
	waiting := func(ctx context.Context, at request.SeatAt) (int, error) {
		view, _, err := s.waitingView(ctx, at)
		if err != nil {
			return 0, err
		}
		html, err := page.Render(ctx, templates.WaitingRegion(view))
		return len(html), err
	}
	each("the waiting room", waiting)
	each("the same without a table", func(ctx context.Context, at request.SeatAt) (int, error) {
		return waiting(ctx, request.SeatAt{Me: at.Me})
	})
	each("a tablet after its game", func(ctx context.Context, at request.SeatAt) (int, error) {
		t := tabletReader{server: h.server, ctx: ctx}
		m, err := t.draw(at)
		return len(m.Data), err
	})
}

// betweenMost bounds the bytes sent to each waiting player per result, whatever the size of the field.
const betweenMost = 40_000

// playedHall returns a hall in which games have ended.
func playedHall(t *testing.T) *hall {
	t.Helper()
	from := os.Getenv("MELDHALL_EVENT")
	if from == "" {
		e := newEvent(t, 8, nil)
		e.start()
		game := e.begin(0)
		e.byDraws(game)
		e.confirmed(game)
		return e.hall
	}
	database, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	return newHallOver(t, database)
}
