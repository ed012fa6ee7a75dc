package game

import (
	"context"
	"sync"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// In a duplicate round all tables play the same deals: game 1 of every table uses one order of tiles, game 2 another.
// While any table plays a deal, its order, racks and draws never leave the server, not even for officials. The state of
// the other tables' games (over, confirmed, dealt anew, annulled) does not matter. Players see their own rack and
// table, officials also the tiles on the tables, and other viewers neither. All code that shows tiles uses this file.

// DealInPlay is the SQL condition that some table still plays the deal of game g in round r. A replayed game is not
// sealed: it gets a deal of its own, because the round's deal may be public by then.
const DealInPlay = `r.duplicate <> 0 AND g.number <= r.games AND EXISTS (
	SELECT 1 FROM games o JOIN tables u ON u.id = o.table_id
	WHERE u.round_id = r.id AND o.number = g.number AND o.status <> 'finished')`

// Seals decides which tiles are withheld. It caches which rounds are duplicate as long as the seatings stay the same.
type Seals struct {
	db       *store.DB
	seatings *Seatings

	mu     sync.Mutex
	at     uint64 // the seatings that rounds belongs to
	rounds map[int64]bool
}

// Sealed reports whether the tiles of a game are withheld; see DealInPlay.
func (s *Seals) Sealed(ctx context.Context, ref Ref) (sealed bool, err error) {
	if duplicate, err := s.duplicate(ctx, ref.RoundID); err != nil || !duplicate {
		return false, err
	}
	err = s.db.ReadSQL.QueryRowContext(ctx, `SELECT EXISTS (
		SELECT 1 FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE g.id = $1 AND `+DealInPlay+`)`, ref.ID).Scan(&sealed)
	return sealed, err
}

// SealedIn returns the games of a tournament whose tiles are withheld.
func (s *Seals) SealedIn(ctx context.Context, tournamentID int64) (map[int64]bool, error) {
	ids, err := s.db.IDs(ctx, `SELECT g.id
		FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		WHERE r.tournament_id = $1 AND `+DealInPlay, tournamentID)
	return store.MapOf(ids, func(id int64) (int64, bool) { return id, true }), err
}

// duplicate reports whether all tables of a round get the same deals, which is fixed once the round has begun.
func (s *Seals) duplicate(ctx context.Context, round int64) (bool, error) {
	seatings := s.seatings.All() // read before the query: every change to a round raises it
	s.mu.Lock()
	if s.at != seatings || s.rounds == nil {
		s.at, s.rounds = seatings, map[int64]bool{}
	}
	duplicate, ok := s.rounds[round]
	s.mu.Unlock()
	if ok {
		return duplicate, nil
	}
	err := s.db.ReadSQL.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM rounds WHERE id = $1 AND duplicate <> 0)`,
		round).Scan(&duplicate)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == seatings {
		s.rounds[round] = duplicate
	}
	return duplicate, nil
}

// Shown returns a game as a viewer may see it now: engine.ViewFor without the tiles that a sealed round withholds.
func (s *Seals) Shown(ctx context.Context, snap *Snapshot, viewer int) (engine.View, error) {
	return s.shown(ctx, snap, viewer, viewer != engine.Spectator)
}

// ShownOn is like Shown for a screen. If there is set, the screen stands at the table, where people can see the table's
// tiles, so the view includes them.
func (s *Seals) ShownOn(ctx context.Context, snap *Snapshot, there bool) (engine.View, error) {
	return s.shown(ctx, snap, engine.Spectator, there)
}

func (s *Seals) shown(ctx context.Context, snap *Snapshot, viewer int, there bool) (engine.View, error) {
	view := engine.ViewFor(snap.Shown(), viewer)
	sealed, err := s.SealedGame(ctx, snap)
	if err == nil && sealed {
		view = view.Sealed(there)
	}
	return view, err
}

// SealedGame reports whether the tiles of a game are withheld. It is false for real tiles, which the server does not
// deal.
func (s *Seals) SealedGame(ctx context.Context, snap *Snapshot) (bool, error) {
	if snap.State.Physical {
		return false, nil
	}
	return s.Sealed(ctx, snap.Ref)
}

// AuthorizeTiles refuses to show the order, racks and draws of a sealed game to any actor.
func (s *Seals) AuthorizeTiles(ctx context.Context, ref Ref) error {
	sealed, err := s.Sealed(ctx, ref)
	if err == nil && sealed {
		err = refuse.Forbidden("err_replay_duplicate")
	}
	return err
}

// SeesAll reports whether the actor may see all racks of a table.
func SeesAll(actor rights.Actor, ref Ref) bool {
	return rights.Authorize(actor, rights.Place{Tournament: ref.TournamentID, Table: ref.TableID, Seat: -1},
		rights.MaySeeAllRacks) == nil
}

// OpeningProof proves whether a player who never opened could have opened, which decides the charge (engine/RULES.md
// section 6). It holds the most valuable sets that one rack can lay on its own, found by exact search.
type OpeningProof struct {
	Seat   int             `json:"seat"`
	Able   bool            `json:"able" doc:"the rack could make an initial meld"`
	Turn   int             `json:"turn,omitempty" doc:"the player's first turn, counted from 1 over all turns, at whose start it was possible; 0: the final rack"`
	Rack   tile.FaceList   `json:"rack" doc:"the rack it refers to"`
	Sets   []tile.FaceList `json:"sets" doc:"the sets that score most from this rack, with jokers shown as the faces they stand for; empty: no set is possible"`
	Points int             `json:"points" doc:"points of the sets"`
	Need   int             `json:"need" doc:"the rules' meld_points"`
	Relief bool            `json:"relief,omitempty" doc:"two sets were enough, because all others had opened"`
}

// Prove computes the proof for its rack in state s.
func (p *OpeningProof) Prove(s engine.State) {
	o, able := s.CouldOpen(p.Seat, p.Rack)
	p.Able, p.Points, p.Need, p.Sets = able, o.Points, s.Rules.MeldPoints, []tile.FaceList{}
	p.Relief = able && p.Points < p.Need
	for _, set := range o.Sets {
		p.Sets = append(p.Sets, set)
	}
}
