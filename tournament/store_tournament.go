package tournament

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/format"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

const tournamentNameMost = 120 // characters

// NewTournament is what a tournament is made of. The format and the rules are stored in it as they are
// given here. Seed 0 lets chance choose; the same seed, players and results give the same seating.
type NewTournament struct {
	Name   string
	Place  string
	Format format.Format
	Rules  engine.Ruleset
	Seed   int64
	Tiles  string // DigitalTiles or RealTiles; empty: digital
}

// CreateTournament makes a tournament without players.
func (s *Store) CreateTournament(ctx context.Context, actor rights.Actor, n NewTournament) (Tournament, error) {
	if err := rights.Authorize(actor, rights.Place{}, rights.MayCreateTournament); err != nil {
		return Tournament{}, err
	}
	t, err := n.tournament()
	if err != nil {
		return Tournament{}, err
	}
	t.CreatedAt = s.now()
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		if err := tx.Create(&t).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: t.ID, action: "tournament.create", subject: t.subject(),
			after: fmt.Sprintf("format %s %d, rules %s %d", n.Format.Name, n.Format.Version, n.Rules.Name, n.Rules.Version)})
	})
	return t, err
}

func (n NewTournament) tournament() (Tournament, error) {
	t := Tournament{Name: cleanText(n.Name), Place: cleanText(n.Place), Status: StatusDraft, Seed: n.Seed, Tiles: cmp.Or(n.Tiles, DigitalTiles)}
	if t.Tiles != DigitalTiles && t.Tiles != RealTiles {
		return Tournament{}, refuse.Invalid("err_tiles", "tiles", t.Tiles)
	}
	if t.Name == "" || utf8.RuneCountInString(t.Name) > tournamentNameMost || utf8.RuneCountInString(t.Place) > tournamentNameMost {
		return Tournament{}, refuse.Invalid("err_tournament_name", "most", tournamentNameMost)
	}
	if err := n.Format.Validate(); err != nil {
		return Tournament{}, asError(err)
	}
	if err := n.Rules.Validate(); err != nil {
		return Tournament{}, asError(err)
	}
	if err := checkRules(n.Format, n.Rules); err != nil {
		return Tournament{}, err
	}
	formatJSON, err := json.Marshal(n.Format)
	if err != nil {
		return Tournament{}, err
	}
	rulesJSON, err := json.Marshal(n.Rules)
	if err != nil {
		return Tournament{}, err
	}
	t.FormatJSON, t.RulesJSON = string(formatJSON), string(rulesJSON)
	for t.Seed == 0 {
		var b [8]byte
		rand.Read(b[:])
		t.Seed = int64(binary.LittleEndian.Uint64(b[:]) >> 11) // exact in a JSON number
	}
	return t, nil
}

// Tournaments gives all tournaments, the newest first, without practice tables and rehearsals.
func (s *Store) Tournaments(ctx context.Context) ([]Tournament, error) {
	var all []Tournament
	err := s.Read.WithContext(ctx).Where("practice = '' AND rehearses = 0").Order("id DESC").Find(&all).Error
	return all, err
}

// TournamentByID gives one, or NotFound.
func (s *Store) TournamentByID(ctx context.Context, id int64) (Tournament, error) {
	return findTournament(s.Read.WithContext(ctx), id)
}

func findTournament(db *gorm.DB, id int64) (Tournament, error) {
	var t Tournament
	if err := db.Where("removed_at = 0").Take(&t, id).Error; err != nil {
		return Tournament{}, missing(err, "tournament", id)
	}
	return t, nil
}

// asError makes an Error of a problem with a format or a rule set; other errors stay.
func asError(err error) error {
	var problem *format.Problem
	if errors.As(err, &problem) {
		return &refuse.Error{Kind: refuse.KindInvalid, Key: problem.Key, Args: problem.Args}
	}
	var field *engine.FieldError
	if errors.As(err, &field) {
		return refuse.Invalid("err_rules_field", "field", field.Field, "why", field.Why)
	}
	return err
}
