package tournament

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// What the public sees of a tournament has four parts, each public, hidden, delayed or frozen. Code that reads for
// anyone other than officials asks for a Sight, which holds four moments: of each part, only what came before its
// moment is visible. Standings, results, seats and games are read as of that moment, so later data cannot appear in any
// response. Only this file decides visibility.
//
// A new tournament is public. A round becomes visible only when it is published, an unconfirmed result is marked as
// such, and the public never gets a rack or the pool. So nothing secret is visible by default, and a tournament can be
// followed even if the organizer never opens the settings page. Anything held back is held back on purpose.

// The parts of a tournament that the public sees.
const (
	PartPairing   = "pairing"
	PartTables    = "tables"
	PartStandings = "standings"
	PartResults   = "results"
	allParts      = "all" // only in SetShown
)

// Parts lists all parts in reading order.
var Parts = []string{PartPairing, PartTables, PartStandings, PartResults}

// The ways of showing a part.
const (
	ShownPublic  = "public"
	ShownHidden  = "hidden"
	ShownDelayed = "delayed"
	ShownFrozen  = "frozen"
)

// HowShown lists the ways of showing a part.
var HowShown = []string{ShownPublic, ShownHidden, ShownDelayed, ShownFrozen}

// DelayMost is the maximum delay of a part, in minutes.
const DelayMost = 24 * 60

// DelayStep is the step in ms by which a delayed part advances. All requests within a step see the same.
const DelayStep = 5_000

// Showing says how a part is shown.
type Showing struct {
	How     string        `json:"how" enum:"public,hidden,delayed,frozen"`
	Minutes int           `json:"minutes,omitempty" doc:"with delayed: the delay"`
	Since   engine.Millis `json:"since,omitempty" doc:"with frozen: the time whose state is shown"`
}

// until returns the moment before which everything of the part is visible.
func (s Showing) until(now engine.Millis) engine.Millis {
	switch s.How {
	case ShownHidden:
		return 0
	case ShownDelayed:
		at := now - engine.Millis(s.Minutes)*60_000
		return at - at%DelayStep
	case ShownFrozen:
		return s.Since
	}
	return Always
}

// shownChange is the audit record of a change in how a part is shown.
type shownChange struct {
	Part string  `json:"part"`
	Was  Showing `json:"was"`
	Is   Showing `json:"is"`
}

func (c shownChange) Before() []action.Phrase { return c.tell(c.Was) }

func (c shownChange) After() []action.Phrase { return c.tell(c.Is) }

func (c shownChange) tell(s Showing) []action.Phrase {
	return []action.Phrase{action.Say("publish.told", "part", action.Word("publish.part."+c.Part),
		"how", action.Say("publish.is."+s.How, "n", s.Minutes, "time", s.Since))}
}

// Publishing says how a tournament is shown to the public. Standings and results reveal each other, as sums and their
// parts, so both follow the more restrictive setting. Tables reveal no more than seats. Told applies these rules.
type Publishing struct {
	Pairing   Showing `json:"pairing" doc:"the seating"`
	Tables    Showing `json:"tables" doc:"the running games"`
	Standings Showing `json:"standings"`
	Results   Showing `json:"results" doc:"each game's result and replay"`
}

// Of returns a pointer to a part's setting, or nil for an unknown part.
func (p *Publishing) Of(part string) *Showing {
	switch part {
	case PartPairing:
		return &p.Pairing
	case PartTables:
		return &p.Tables
	case PartStandings:
		return &p.Standings
	case PartResults:
		return &p.Results
	}
	return nil
}

// Effective returns the effective settings of the parts.
func (p Publishing) Effective(now engine.Millis) Publishing {
	if standings, results := p.Standings.until(now), p.Results.until(now); results < standings {
		p.Standings = p.Results
	} else if standings < results {
		p.Results = p.Standings
	}
	if p.Pairing.until(now) < p.Tables.until(now) {
		p.Tables = p.Pairing
	}
	return p
}

// Unpublished reports whether a tournament is a draft that only its officials may see, because none of its rounds is
// published. For a rehearsal or a training, check the tournament in Rehearses, because they show its players.
func (t Tournament) Unpublished() bool { return t.Practice == "" && t.Status == StatusDraft }

// Sight says what a reader may see of a tournament: of each part, everything before a moment. Always means everything
// and 0 nothing.
type Sight struct{ Pairing, Tables, Standings, Results engine.Millis }

// Always is later than every other moment.
const Always = engine.Millis(math.MaxInt64)

// SeesAll is an official's sight.
var SeesAll = Sight{Always, Always, Always, Always}

// Sight returns what the public may see at time now.
func (p Publishing) Sight(now engine.Millis) Sight {
	p = p.Effective(now)
	return Sight{p.Pairing.until(now), p.Tables.until(now), p.Standings.until(now), p.Results.until(now)}
}

// Delayed reports whether the visible state advances without new events.
func (p Publishing) Delayed() bool {
	return slices.ContainsFunc(Parts, func(part string) bool { return p.Of(part).How == ShownDelayed })
}

// Round reports whether a round's seats are visible; drafts are governed by rights alone. If a round was reseated after
// the moment v.Pairing, its earlier seating is unknown, so it stays hidden.
func (v Sight) Round(r Round) bool {
	return v.Pairing == Always || r.Status != RoundDraft && max(r.PublishedAt, r.ChangedAt) < v.Pairing
}

// AtTables returns v with the moment of the seats limited to that of the tables, so that a viewer of delayed tables
// does not see the seats of a later round.
func (v Sight) AtTables() Sight {
	v.Pairing = min(v.Pairing, v.Tables)
	return v
}

// Rounds returns the visible rounds.
func (v Sight) Rounds(all []Round) []Round {
	return slices.DeleteFunc(slices.Clone(all), func(r Round) bool { return !v.Round(r) })
}

// showing is the database row of a part.
type showing struct {
	TournamentID int64  `gorm:"primaryKey;autoIncrement:false"`
	Part         string `gorm:"primaryKey"`
	Showing      `gorm:"embedded"`
	Was          string
}

// PublishingOf returns how a tournament is shown to the public, and the previous setting of each part that was ever
// changed.
func PublishingOf(ctx context.Context, s *store.DB, tournamentID int64) (is Publishing, was map[string]Showing,
	err error) {
	return PublishingIn(s.Read.WithContext(ctx), tournamentID)
}

// PublishingIn is like PublishingOf, within a transaction.
func PublishingIn(db *gorm.DB, tournamentID int64) (is Publishing, was map[string]Showing, err error) {
	rows, err := store.All[showing](db.Where("tournament_id = ?", tournamentID))
	was = map[string]Showing{}
	for _, part := range Parts {
		is.Of(part).How = ShownPublic
	}
	for _, r := range rows {
		var before Showing
		if err := json.Unmarshal([]byte(r.Was), &before); err != nil {
			return is, was, err
		}
		*is.Of(r.Part), was[r.Part] = r.Showing, before
	}
	return is, was, err
}

// For returns what an actor may see of a tournament at time now. Officials see everything.
func (p Publishing) For(actor rights.Actor, tournamentID int64, now engine.Millis) Sight {
	if rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk) == nil {
		return SeesAll
	}
	return p.Sight(now)
}

// ForGame returns what an actor may see of a game at time now. The game's players and the table's device see
// everything.
func (p Publishing) ForGame(actor rights.Actor, ref game.Ref, now engine.Millis) Sight {
	if actor.Role == rights.RolePlayer && slices.Contains(ref.Players, actor.Player) ||
		actor.Role == rights.RoleTable && actor.Table == ref.TableID {
		return SeesAll
	}
	return p.For(actor, ref.TournamentID, now)
}

// SetShown sets how the public sees one part of a tournament, or all four.
type SetShown struct {
	Tournament int64         `json:"tournament,omitempty" path:"id" minimum:"1"`
	Part       string        `json:"part" doc:"pairing, tables, standings, results, or all"`
	How        string        `json:"how" doc:"public, hidden, delayed or frozen"`
	Minutes    int           `json:"minutes,omitempty" doc:"with delayed: 1 to 1440"`
	Since      engine.Millis `json:"since,omitempty" doc:"with frozen: the time whose state is shown; 0: now"`
	Why        string        `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

// ShownSet is how a tournament was shown and is shown now.
type ShownSet struct {
	Tournament Tournament
	Was, Is    Publishing
}

var _ = action.NewKind[SetShown](action.Kind{Name: "publishing.set", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicSettings, action.TopicStandings, action.TopicSeats},
	Details: action.Keep[shownChange]})

func (s SetShown) Do(tx *action.Tx) (out ShownSet, err error) {
	if out.Tournament, err = FindTournament(tx.DB, s.Tournament); err != nil {
		return out, err
	}
	why, err := action.CleanWhy(s.Why)
	if err != nil {
		return out, err
	}
	parts := Parts
	if s.Part != allParts {
		parts = []string{s.Part}
	}
	if !slices.Contains(Parts, parts[0]) {
		return out, refuse.Invalid("err_publish_part", "part", s.Part)
	}
	if out.Was, _, err = PublishingIn(tx.DB, s.Tournament); err != nil {
		return out, err
	}
	out.Is = out.Was
	for _, part := range parts {
		was := *out.Was.Of(part)
		is, err := s.showing(was, tx.Now())
		if err != nil {
			return out, err
		}
		if is == was {
			continue
		}
		*out.Is.Of(part) = is
		before, err := json.Marshal(was)
		if err != nil {
			return out, err
		}
		row := showing{TournamentID: s.Tournament, Part: part, Showing: is, Was: string(before)}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return out, err
		}
		tx.Record(action.Entry{Event: s.Tournament, On: out.Tournament.About(), Why: why,
			Is: shownChange{part, was, is}})
	}
	return out, nil
}

// showing returns a part's new setting. A part is frozen as the public last saw it; a hidden part as it is now.
func (s SetShown) showing(was Showing, now engine.Millis) (Showing, error) {
	is := Showing{How: s.How}
	switch s.How {
	case ShownPublic, ShownHidden:
	case ShownDelayed:
		if s.Minutes < 1 || s.Minutes > DelayMost {
			return is, refuse.Invalid("err_publish_minutes", "most", DelayMost)
		}
		is.Minutes = s.Minutes
	case ShownFrozen:
		switch is.Since = s.Since; {
		case s.Since < 0 || s.Since > now:
			return is, refuse.Invalid("err_publish_since")
		case s.Since == 0 && was.How == ShownFrozen:
			return was, nil
		case s.Since == 0 && was.How == ShownDelayed:
			is.Since = was.until(now)
		case s.Since == 0:
			is.Since = now
		}
	default:
		return is, refuse.Invalid("err_publish_how", "how", s.How)
	}
	return is, nil
}
