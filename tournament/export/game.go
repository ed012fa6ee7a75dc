package export

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/game/record"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// Protocol is the complete record of one game, for readers who were not there.
type Protocol struct {
	Ref        game.Ref
	Tournament tournament.Tournament
	State      engine.State // current or final state
	Entries    []game.Entry // the log
	Turns      []int        // by entry: the number of its turn, 0 for none
	Ends       []bool       // by entry: whether it ended that turn
	Started    []engine.Millis
	Results    []game.Result
	Signatures []result.Signature
	Protests   []result.Protest
	Penalties  []result.Penalty // of the game's players, given in this game
	Openings   []game.OpeningProof
	Over       bool
	Hash       string // of the log, see LogHash
}

// LogHash returns the SHA-256 of an exported log, in hex. Each event is one line of its seq, kind, version, time, actor
// and data, separated by spaces and ended by a line feed.
func LogHash(events []Event) string {
	sum := sha256.New()
	for _, e := range events {
		fmt.Fprintf(sum, "%d %s %d %d %s %s\n", e.Seq, e.Kind, e.Version, e.At, e.Actor, e.Data)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// CommitmentHolds reports whether the shuffled order is the one committed to before the first turn.
func (p Protocol) CommitmentHolds() bool {
	s := p.State
	return s.Commitment != "" && engine.Commit(engine.Deal{Pool: s.Order, Draws: s.DrawOrder,
		Salt: s.Salt}) == s.Commitment
}

// ProtocolOf returns the record of a game. Officials get it at any time, without racks and counts while the game runs
// or is sealed. Its players get it once the game is over and not sealed.
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
		if err := record.AuthorizeReplay(actor, snap.Ref, p.Over, false); err != nil {
			return p, err
		}
		if err := g.Seals.AuthorizeTiles(ctx, snap.Ref); err != nil {
			return p, err
		}
	}
	sealed, err := g.Seals.SealedGame(ctx, snap)
	if err != nil {
		return p, err
	}
	p.Over = p.Over && !sealed // hides racks and count as in a running game
	if p.Tournament, err = tournament.TournamentByID(ctx, g.DB, snap.Ref.TournamentID); err != nil {
		return p, err
	}
	if p.Entries, err = g.Log.Tail(ctx, gameID, 0); err != nil {
		return p, err
	}
	p.Turns, p.Ends, p.Started = record.TurnsOf(p.Entries)
	if !p.Over {
		return p, nil
	}
	return p, recordOfEnd(ctx, g, actor, snap, &p)
}

// recordOfEnd adds to a protocol the parts that exist only after the game has ended.
func recordOfEnd(ctx context.Context, g *game.Games, actor rights.Actor, snap *game.Snapshot, p *Protocol) (err error) {
	id := p.Ref.ID
	if p.Results, err = result.Results(ctx, g.DB, id); err != nil {
		return err
	}
	db := g.DB.Read.WithContext(ctx)
	if err := db.Where("game_id = ?", id).Order("id").Find(&p.Signatures).Error; err != nil {
		return err
	}
	if p.Protests, err = result.ProtestsOf(db.Where("game_id = ?", id)); err != nil {
		return err
	}
	for _, player := range p.Ref.Players {
		penalties, err := result.PenaltiesOf(ctx, g.DB, player)
		if err != nil {
			return err
		}
		for _, one := range penalties {
			if one.GameID != nil && *one.GameID == id {
				p.Penalties = append(p.Penalties, one)
			}
		}
	}
	if p.Openings, err = record.NewReader(g).Openings(ctx, actor, snap, p.confirmed()); err != nil {
		return err
	}
	events, err := exportEvents(ctx, g.DB, id)
	p.Hash = LogHash(events)
	return err
}

func (p Protocol) confirmed() bool {
	return len(p.Results) > 0 && p.Results[len(p.Results)-1].Confirmed()
}

// Version is the version of Game; a reader rejects any other.
const Version = 1

// Game is an exported game that anyone can keep and check (meldhall verify): its whole log, including the deal with its
// salt, and every revision of its result.
type Game struct {
	Version      int             `json:"version"`
	Game         int64           `json:"game"`
	TournamentID int64           `json:"tournament"`
	RoundID      int64           `json:"round"`
	Table        int             `json:"table"`
	Number       int             `json:"number"`
	Players      []int64         `json:"players" doc:"in seat order"`
	Rules        ruleset.Ruleset `json:"rules" doc:"the round's rules; the first event holds them too"`
	Signed       []signing.Run   `json:"signed,omitempty" doc:"the commands that players' devices have signed"`
	Events       []Event         `json:"events"`
	Results      []Result        `json:"results"`
	Head         string          `json:"head,omitempty" doc:"the hash of the last event, which covers all earlier ones"`

	fault error // error found while reading the log, or nil
}

// Event is one row of the log.
type Event struct {
	Seq     int             `json:"seq"`
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	At      engine.Millis   `json:"at"`
	Actor   string          `json:"actor"`
	Data    json.RawMessage `json:"data"`
	Salt    string          `json:"salt,omitempty" doc:"the salt of the reason in data; once erased, '=' and the hash of both"`

	chain, signed string // its stored hash, and how its command was signed
}

// Result is one revision of a result.
type Result struct {
	Rev    int           `json:"rev"`
	Status string        `json:"status"`
	Ending string        `json:"ending"`
	Actor  string        `json:"actor"`
	Why    string        `json:"why,omitempty"`
	At     engine.Millis `json:"at"`
	Lines  []ResultLine  `json:"lines"`
}

// ResultLine is a seat's part of a result.
type ResultLine struct {
	Seat   int           `json:"seat"`
	Player int64         `json:"player"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins"`
	Charge int           `json:"charge"`
	Reason string        `json:"reason,omitempty"`
	Tiles  string        `json:"tiles"`
	Opened bool          `json:"opened"`
}

// Over reports whether the exported log contains the end of the game. A log that does not must not leave the server,
// because it reveals the pool and the racks.
func (g Game) Over() bool {
	for _, e := range g.Events {
		if e.Kind == (engine.GameEnded{}).Kind() {
			return true
		}
	}
	return false
}

// OfGame reads a game with its log and results, in any state; see Over.
func OfGame(ctx context.Context, s *store.DB, gameID int64) (Game, error) {
	ref, err := game.FindRef(ctx, s, gameID)
	if err != nil {
		return Game{}, err
	}
	g := Game{
		Version: Version, Game: gameID, TournamentID: ref.TournamentID, RoundID: ref.RoundID,
		Table: ref.TableNumber, Number: ref.Number, Players: ref.Players,
	}
	t, err := tournament.KeptTournament(ctx, s, ref.TournamentID)
	if err != nil {
		return g, err
	}
	if g.Rules, err = t.RulesIn(ref.Stage, ref.Round); err != nil {
		return g, err
	}
	if g.Events, err = exportEvents(ctx, s, gameID); err != nil {
		return g, fmt.Errorf("export game %d: %w", gameID, err)
	}
	if err := g.setHead(); err != nil {
		return g, err
	}
	if g.Results, err = exportResults(ctx, s, gameID); err != nil {
		return g, fmt.Errorf("export game %d: %w", gameID, err)
	}
	return g, nil
}

func exportEvents(ctx context.Context, s *store.DB, game int64) (events []Event, err error) {
	err = store.EachRow(ctx, s.ReadSQL, func(rows *sql.Rows) error {
		var e Event
		err := rows.Scan(e.columns()...)
		events = append(events, e)
		return err
	}, `SELECT `+eventColumns+` FROM game_events e WHERE e.game_id = $1 ORDER BY e.seq`, game)
	return events, err
}

const eventColumns = `e.seq, e.kind, e.version, e.at, e.actor, e.data, e.salt, e.chain,
	coalesce(e.signed, '')`

func (e *Event) columns() []any {
	return []any{&e.Seq, &e.Kind, &e.Version, &e.At, &e.Actor, (*[]byte)(&e.Data), &e.Salt, &e.chain, &e.signed}
}

// EventsBetween returns a game's events with after < seq < upTo and a time earlier than before, newest first. Their
// number is limited to most. EventsBetween does not read their actors and salts.
func EventsBetween(ctx context.Context, s *store.DB, game int64, after, upTo int, before engine.Millis,
	most int) (events []Event, err error) {
	rows, err := s.ReadSQL.QueryContext(ctx, `SELECT seq, kind, version, at, data FROM game_events WHERE game_id = $1
		AND seq > $2 AND seq < $3 AND at < $4
		ORDER BY seq DESC LIMIT $5`, game, after, upTo, before, most)
	if err != nil {
		return nil, fmt.Errorf("read the last events of game %d: %w", game, err)
	}
	defer rows.Close()
	for rows.Next() {
		var e Event
		var data string
		if err := rows.Scan(&e.Seq, &e.Kind, &e.Version, &e.At, &data); err != nil {
			return nil, fmt.Errorf("read the last events of game %d: %w", game, err)
		}
		e.Data = json.RawMessage(data)
		events = append(events, e)
	}
	return events, rows.Err()
}

func exportResults(ctx context.Context, s *store.DB, game int64) ([]Result, error) {
	all, err := result.Results(ctx, s, game)
	results := make([]Result, len(all))
	for i, r := range all {
		results[i] = Result{Rev: r.Rev, Status: r.Status, Ending: r.Ending, Actor: r.Actor, Why: r.Why, At: r.At}
		for _, l := range r.Lines {
			results[i].Lines = append(results[i].Lines, ResultLine{l.Seat, l.PlayerID, l.Points, l.Wins, l.Charge,
				l.Reason, l.Tiles, l.Opened})
		}
	}
	return results, err
}

// GameIDs lists the games that have a log, in order.
func GameIDs(ctx context.Context, s *store.DB) ([]int64, error) {
	return s.IDs(ctx, `SELECT DISTINCT game_id FROM game_events ORDER BY game_id`)
}
