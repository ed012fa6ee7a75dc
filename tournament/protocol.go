package tournament

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
)

// Protocol is all that is on record of one game, for telling it to somebody who was not there.
type Protocol struct {
	Ref        game.Ref
	Tournament Tournament
	State      engine.State // as it stands, or ended
	Entries    []game.Entry // the log
	Turns      []int        // by entry: the number of the turn that it came in, 0 for none
	Ends       []bool       // by entry: it ended that turn
	Started    []engine.Millis
	Results    []game.Result
	Signatures []Signature
	Protests   []Protest
	Penalties  []Penalty // on the game's players, given in this game
	Openings   []game.OpeningProof
	Over       bool
	Hash       string // of the log, see LogHash
}

// LogHash is the SHA-256, in hex, of a log as it is exported: for each event one line of its seq, kind, version, time, actor
// and data, with spaces between and a line feed at the end.
func LogHash(events []ExportedEvent) string {
	sum := sha256.New()
	for _, e := range events {
		fmt.Fprintf(sum, "%d %s %d %d %s %s\n", e.Seq, e.Kind, e.Version, e.At, e.Actor, e.Data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// CommitmentHolds tells whether the shuffled order is the one that was promised before the first turn.
func (p Protocol) CommitmentHolds() bool {
	s := p.State
	return s.Commitment != "" && engine.Commit(engine.Deal{Pool: s.Order, Draws: s.DrawOrder, Salt: s.Salt}) == s.Commitment
}

// ProtocolOf gives the record of a game: to officials at any time, without racks and counts as long as it runs; to its
// players once it is over.
func ProtocolOf(ctx context.Context, g *game.Games, actor rights.Actor, gameID int64) (p Protocol, err error) {
	snap, err := g.Look(ctx, gameID)
	if err != nil {
		return p, err
	}
	p.Ref, p.State, p.Over = snap.Ref, snap.State, snap.State.Phase == engine.PhaseOver
	place := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MaySeeDesk); err != nil {
		if actor.Role != rights.RolePlayer {
			return p, err
		}
		if err := game.AuthorizeReplay(actor, snap.Ref, p.Over, false); err != nil {
			return p, err
		}
		if err := g.AuthorizeTiles(ctx, actor, snap.Ref); err != nil {
			return p, err
		}
	}
	if p.Tournament, err = TournamentByID(ctx, g.DB, snap.Ref.TournamentID); err != nil {
		return p, err
	}
	if p.Entries, err = g.Entries(ctx, gameID); err != nil {
		return p, err
	}
	p.Turns, p.Ends, p.Started = game.TurnsOf(p.Entries)
	if !p.Over {
		return p, nil
	}
	return p, recordOfEnd(ctx, g, actor, snap, &p)
}

// recordOfEnd adds what there is only after the end.
func recordOfEnd(ctx context.Context, g *game.Games, actor rights.Actor, snap *game.Snapshot, p *Protocol) (err error) {
	game := p.Ref.ID
	if p.Results, err = Results(ctx, g.DB, game); err != nil {
		return err
	}
	db := g.DB.Read.WithContext(ctx)
	if err := db.Where("game_id = ?", game).Order("id").Find(&p.Signatures).Error; err != nil {
		return err
	}
	if p.Protests, err = protestsOf(db, db.Where("game_id = ?", game)); err != nil {
		return err
	}
	for _, player := range p.Ref.Players {
		penalties, err := PenaltiesOf(ctx, g.DB, player)
		if err != nil {
			return err
		}
		for _, one := range penalties {
			if one.GameID != nil && *one.GameID == game {
				p.Penalties = append(p.Penalties, one)
			}
		}
	}
	if p.Openings, err = g.Openings(ctx, actor, snap, p.confirmed()); err != nil {
		return err
	}
	events, err := exportEvents(ctx, g.DB, game)
	p.Hash = LogHash(events)
	return err
}

func (p Protocol) confirmed() bool {
	return len(p.Results) > 0 && p.Results[len(p.Results)-1].Confirmed()
}
