package tournament

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// What everybody is shown of an event has four parts, each public, hidden, delayed or frozen. Whoever reads for others than the
// officials asks for a Sight, which is nothing but four moments: of each part is seen what came before its moment. Standings, results,
// seats and games are read as they stood then, so that nothing which came later can be in any answer. This file is the only place
// that decides it.
//
// A new event is public, as every event was before: a round is seen when it is published, which is a step of its own, a result that
// no official has confirmed is marked as such, and no rack or pool is ever in what the public gets. So nothing that is secret is
// public, and an organizer who never opens the page has an event that can be followed. What is held back is held back on purpose.

// The parts of what is shown.
const (
	PartPairing   = "pairing"
	PartTables    = "tables"
	PartStandings = "standings"
	PartResults   = "results"
	allParts      = "all" // of SetShown
)

// Parts are all parts, in the order in which people read them.
var Parts = []string{PartPairing, PartTables, PartStandings, PartResults}

// How a part is shown.
const (
	ShownPublic  = "public"
	ShownHidden  = "hidden"
	ShownDelayed = "delayed"
	ShownFrozen  = "frozen"
)

// HowShown are the ways of showing a part.
var HowShown = []string{ShownPublic, ShownHidden, ShownDelayed, ShownFrozen}

// DelayMost is by how many minutes a part can be delayed.
const DelayMost = 24 * 60

// delayStep is by how much what is shown of a delayed part comes forward at once, in ms: all who ask in between see the same.
const delayStep = 5_000

// Showing is how a part is shown.
type Showing struct {
	How     string        `json:"how" enum:"public,hidden,delayed,frozen"`
	Minutes int           `json:"minutes,omitempty" doc:"of delayed"`
	Since   engine.Millis `json:"since,omitempty" doc:"of frozen: what stood then is shown"`
}

// until is the moment before which all of the part is seen.
func (s Showing) until(now engine.Millis) engine.Millis {
	switch s.How {
	case ShownHidden:
		return 0
	case ShownDelayed:
		at := now - engine.Millis(s.Minutes)*60_000
		return at - at%delayStep
	case ShownFrozen:
		return s.Since
	}
	return Always
}

// shownChange is what a record keeps of a part that is shown otherwise.
type shownChange struct {
	Part string  `json:"part"`
	Was  Showing `json:"was"`
	Is   Showing `json:"is"`
}

func (c shownChange) Before() []door.Phrase { return c.tell(c.Was) }
func (c shownChange) After() []door.Phrase  { return c.tell(c.Is) }

func (c shownChange) tell(s Showing) []door.Phrase {
	return []door.Phrase{door.Say("publish.told", "part", door.Word("publish.part."+c.Part),
		"how", door.Say("publish.is."+s.How, "n", s.Minutes, "time", s.Since))}
}

// Publishing is how everybody is shown an event. Standings and results tell each other, as sums and their parts, so that both are held
// back with either; and the tables tell no more than the seats. Told says what comes of that.
type Publishing struct {
	Pairing   Showing `json:"pairing" doc:"who sits where"`
	Tables    Showing `json:"tables" doc:"the games as they are played"`
	Standings Showing `json:"standings"`
	Results   Showing `json:"results" doc:"of each game, and its replay"`
}

// Of is one of its parts, to be read or set; nil for none.
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

// Told is how the parts are shown in the end.
func (p Publishing) Told(now engine.Millis) Publishing {
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

// Unpublished reports whether an event is a draft, which only its officials may see: none of its rounds is published.
// For a rehearsal or a training, ask the event in Rehearses, because its players appear in them.
func (t Tournament) Unpublished() bool { return t.Practice == "" && t.Status == StatusDraft }

// Sight is what somebody may see of an event: of each part what came before a moment, Always for all of it and 0 for nothing.
type Sight struct{ Pairing, Tables, Standings, Results engine.Millis }

// Always is the moment that nothing comes after.
const Always = engine.Millis(math.MaxInt64)

// SeesAll is the sight of an official.
var SeesAll = Sight{Always, Always, Always, Always}

// Sight is what everybody may see at a moment.
func (p Publishing) Sight(now engine.Millis) Sight {
	p = p.Told(now)
	return Sight{p.Pairing.until(now), p.Tables.until(now), p.Standings.until(now), p.Results.until(now)}
}

// Delayed tells whether what is seen moves on though nothing happens.
func (p Publishing) Delayed() bool {
	return slices.ContainsFunc(Parts, func(part string) bool { return p.Of(part).How == ShownDelayed })
}

// Round tells whether the seats of a round are seen; drafts are a matter of rights alone. Of a round whose seats were changed
// after the moment nobody knows what stood then: it waits.
func (v Sight) Round(r Round) bool {
	return v.Pairing == Always || r.Status != RoundDraft && max(r.PublishedAt, r.ChangedAt) < v.Pairing
}

// AtTables is a sight of the seats by what is seen of the tables: nobody who sees them late sees the seats of a later round there.
func (v Sight) AtTables() Sight {
	v.Pairing = min(v.Pairing, v.Tables)
	return v
}

// Rounds are those that are seen.
func (v Sight) Rounds(all []Round) []Round {
	return slices.DeleteFunc(slices.Clone(all), func(r Round) bool { return !v.Round(r) })
}

// showing is a part's row.
type showing struct {
	TournamentID int64  `gorm:"primaryKey;autoIncrement:false"`
	Part         string `gorm:"primaryKey"`
	Showing      `gorm:"embedded"`
	Was          string
}

// PublishingOf is how everybody is shown an event, with what was before the last change of each part that was ever changed.
func PublishingOf(ctx context.Context, s *storage.DB, event int64) (is Publishing, was map[string]Showing, err error) {
	return publishingOf(s.Read.WithContext(ctx), event)
}

func publishingOf(db *gorm.DB, event int64) (is Publishing, was map[string]Showing, err error) {
	rows, err := storage.All[showing](db.Where("tournament_id = ?", event))
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

// For is what an actor may see of an event at a moment: officials see all of it.
func (p Publishing) For(actor rights.Actor, event int64, now engine.Millis) Sight {
	if rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk) == nil {
		return SeesAll
	}
	return p.Sight(now)
}

// ForGame is what an actor may see of a game at a moment: those who play it see all of it, at their own table.
func (p Publishing) ForGame(actor rights.Actor, ref game.Ref, now engine.Millis) Sight {
	if actor.Role == rights.RolePlayer && slices.Contains(ref.Players, actor.Player) || actor.Role == rights.RoleTable && actor.Table == ref.TableID {
		return SeesAll
	}
	return p.For(actor, ref.TournamentID, now)
}

// SetShown says how everybody is shown a part of an event, or all four.
type SetShown struct {
	Tournament int64         `json:"tournament,omitempty" path:"id" minimum:"1"`
	Part       string        `json:"part" doc:"pairing, tables, standings, results, or all"`
	How        string        `json:"how" doc:"public, hidden, delayed or frozen"`
	Minutes    int           `json:"minutes,omitempty" doc:"of delayed: from 1 to 1440"`
	Since      engine.Millis `json:"since,omitempty" doc:"of frozen: what stood then is shown; 0: what is shown now"`
	Why        string        `json:"why,omitempty" maxLength:"500" doc:"for the log"`
}

// ShownSet is how an event was and is shown.
type ShownSet struct {
	Tournament Tournament
	Was, Is    Publishing
}

var _ = door.NewKind[SetShown](door.Kind{Name: "publishing.set", Right: rights.MayPublishRound,
	Changes: []door.What{door.TopicSettings, door.TopicStandings, door.TopicSeats}, Details: door.Keep[shownChange]})

func (s SetShown) Do(tx *door.Tx) (out ShownSet, err error) {
	if out.Tournament, err = FindTournament(tx.DB, s.Tournament); err != nil {
		return out, err
	}
	why, err := door.CleanWhy(s.Why)
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
	if out.Was, _, err = publishingOf(tx.DB, s.Tournament); err != nil {
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
		tx.Record(door.Entry{Event: s.Tournament, On: out.Tournament.about(), Why: why, Is: shownChange{part, was, is}})
	}
	return out, nil
}

// showing is how a part is to be shown that was shown otherwise. What is frozen stays as everybody saw it last, unless it was hidden.
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
