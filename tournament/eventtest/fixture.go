package eventtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// NewStore returns the test's database.
func NewStore(t testing.TB) *store.DB { return storetest.New(t) }

// seededDeal returns a reproducible deal.
func seededDeal(seed uint64) engine.Deal {
	rng := rand.New(rand.NewPCG(seed, 1))
	order := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: order(), Draws: order(), Salt: fmt.Sprintf("%032x", rng.Uint64())}
}

// Runner returns the games of a database, with seeded deals.
func Runner(t testing.TB, s *store.DB) *game.Games {
	t.Helper()
	g := NewGames(t, s)
	seed := uint64(0)
	var mu sync.Mutex
	g.Deal = func() engine.Deal {
		mu.Lock()
		defer mu.Unlock()
		seed++
		return seededDeal(seed)
	}
	return g
}

// Begin starts all games that can start.
func Begin(t testing.TB, g *game.Games) {
	t.Helper()
	if err := g.StartWaiting(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
}

// IsRefused reports whether an error is a refusal of a kind with a key.
func IsRefused(err error, kind refuse.Kind, key string) bool {
	refusal, ok := err.(*refuse.Error)
	return ok && refusal.Kind == kind && refusal.Key == key
}

// AnotherNode opens the same database as a second process would, with its own connections and caches.
func AnotherNode(t testing.TB, s *store.DB) *store.DB {
	t.Helper()
	other, err := store.Open(s.File())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	return other
}

// WantKey checks that an error is a refusal with a key whose text has no unfilled placeholder.
func WantKey(t *testing.T, err error, key string) {
	t.Helper()
	var refusal *refuse.Error
	if !errors.As(err, &refusal) || refusal.Key != key || strings.Contains(refusetest.Text(t, err), "{{") {
		t.Errorf("got %v, want %s", err, key)
	}
}

// CodesHold checks that each table's printed code leads to its table, unless all its players have a device.
func (c *Crowd) CodesHold(printed []tournament.Table, when string) {
	c.T.Helper()
	for _, table := range printed {
		now, err := tournament.FindTable(c.S.Read, table.ID)
		if err != nil {
			c.T.Fatal(err)
		}
		inv, err := people.FindInvitation(c.T.Context(), c.S, table.Code)
		if key := ErrorKey(err); now.Full() && key != "err_table_full" || !now.Full() &&
			(err != nil || inv.Table.Number != table.Number) {
			c.T.Errorf("%s: %s opens table %d, %v; printed for table %d", when, table.Code, inv.Table.Number, err,
				table.Number)
		}
	}
}

// Withdraw withdraws a published round.
func Withdraw(t *testing.T, s *store.DB, round int64) draw.Withdrawn {
	t.Helper()
	out, err := action.Do(t.Context(), DeskOf(s), Organizer, draw.WithdrawRound{Round: round, Why: "a table is broken"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ErrorKey returns the key of a refusal, or "".
func ErrorKey(err error) string {
	var refused *refuse.Error
	if errors.As(err, &refused) {
		return refused.Key
	}
	return ""
}

// Numbered returns n lines of a roster.
func Numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Player %d\n", i)
	}
	return b.String()
}

// RunningRound returns a tournament of n players whose first round is running.
func RunningRound(t *testing.T, s *store.DB, formatName string, n int) (tournament.Tournament, tournament.Round,
	[]tournament.Table) {
	t.Helper()
	ctx := context.Background()
	tour := NewTournament(t, s, formatName, 1)
	EnterPlayers(t, s, tour, n)
	round, err := action.Do(ctx, DeskOf(s), Organizer, draw.PairRound{Tournament: tour.ID,
		PairingOptions: draw.PairingOptions{}})
	if err != nil {
		t.Fatal(err)
	}
	if round, err = action.Do(ctx, DeskOf(s), Organizer, draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, DeskOf(s), Organizer, draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	tables, err := tournament.TableCodes(ctx, s, Organizer, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	return tour, round, tables
}

// ThreePlayers returns the result lines of a game of three.
func ThreePlayers() []game.ResultLine {
	return []game.ResultLine{
		{Seat: 0, Points: score.Whole(118), Wins: score.Whole(1), Opened: true},
		{Seat: 1, Points: score.Whole(-16), Charge: 16, Tiles: "R3 K13", Opened: true},
		{Seat: 2, Points: score.Whole(-102), Charge: 102, Tiles: "O2 J", Opened: true},
	}
}

// ByNumber returns the result lines of a game that the lowest start number wins; the others lose as many points as
// their number.
func ByNumber(table tournament.Table) []game.ResultLine {
	lines, sum, best := make([]game.ResultLine, len(table.Seats)), 0, 0
	for i, seat := range table.Seats {
		lines[i] = game.ResultLine{Seat: i, Charge: seat.Player.Number, Points: -score.Whole(seat.Player.Number),
			Tiles: "R4", Opened: true}
		if sum += seat.Player.Number; seat.Player.Number < table.Seats[best].Player.Number {
			best = i
		}
	}
	lines[best] = game.ResultLine{Seat: best, Wins: score.Whole(1),
		Points: score.Whole(sum - table.Seats[best].Player.Number)}
	return lines
}
