package action

import (
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// Record describes an action outside the logs of games: the kind of action, who, when, why, the subject, and the state
// before and after. It is written in the action's transaction, and can be understood without other data. Version is the
// version of the kind's fields. A record of version 0 comes from a program that stored English sentences, in Subject,
// Before and After.
type Record struct {
	ID           int64
	At           engine.Millis
	TournamentID *int64
	Actor        string
	Kind         string `gorm:"column:action"`
	Why          string
	Version      int
	AboutJSON    string `gorm:"column:about"`
	Data         string
	Topics       string

	Subject, Before, After string

	Sum int64 // covers all but OrganizationID, as store.Sum computes it

	Salt, Chain string // see store.ChainedRecord

	OrganizationID int64 // owner of a record without a tournament; 0: the server
}

// TableName returns the database table of records.
func (Record) TableName() string { return "audit" }

// About is the subject of an action in terms that people use: numbers within the tournament, and the names at the time.
// Game is the game's ID. Empty fields are irrelevant.
type About struct {
	Round   int    `json:"round,omitempty"`
	Table   int    `json:"table,omitempty"`
	Game    int64  `json:"game,omitempty"`
	GameNo  int    `json:"game_number,omitempty"`
	Seat    int    `json:"seat,omitempty"` // from 1
	Stage   int    `json:"stage,omitempty"`
	Player  int    `json:"player,omitempty"`  // start number
	Name    string `json:"name,omitempty"`    // of the player, or of another subject
	What    string `json:"what,omitempty"`    // subject with a number and no name: screen, announcement
	Number  int64  `json:"number,omitempty"`  // the number of What
	Players []int  `json:"players,omitempty"` // start numbers of further players concerned
	Tables  []int  `json:"tables,omitempty"`  // further tables
	Rounds  []int  `json:"rounds,omitempty"`  // further rounds
}

// Details are the additional data of a kind's records. After describes the new state, independent of language; see
// Before.
type Details interface{ After() []Phrase }

// Before returns the description of the previous state by the details' method Before, or nil if they have none.
func Before(d Details) []Phrase {
	if was, ok := d.(interface{ Before() []Phrase }); ok {
		return was.Before()
	}
	return nil
}

// About decodes the subject of a record.
func (r Record) About() (on About) {
	if r.AboutJSON != "" {
		_ = json.Unmarshal([]byte(r.AboutJSON), &on) // this program can read what it wrote
	}
	return on
}

// Details decodes a record's details. It returns nil if the kind has none, for a record of version 0, and if the fields
// cannot be decoded.
func (r Record) Details() Details {
	k := kinds[r.Kind]
	if r.Version == 0 || k == nil || k.Details == nil || r.Data == "" {
		return nil
	}
	d := k.Details()
	if json.Unmarshal([]byte(r.Data), d) != nil {
		return nil
	}
	return d
}

// changed returns the change that the record announces. A record without topics counts as a change of seats.
func (r Record) changed() (c Changed) {
	if r.TournamentID != nil {
		c.Tournament = *r.TournamentID
	}
	if r.Topics == "" || json.Unmarshal([]byte(r.Topics), &c.Topics) != nil {
		c.Add(Topic{What: TopicSeats})
	}
	return c
}

// recordVersion is the current version of the fields.
const recordVersion = 1

// ReasonMost is the maximum length of a reason, in characters.
const ReasonMost = engine.ReasonMost

// CleanWhy returns a reason, possibly empty, as records store it. A reason longer than ReasonMost is an error.
func CleanWhy(text string) (string, error) {
	why := spelling.Clean(text)
	if utf8.RuneCountInString(why) > ReasonMost {
		return "", refuse.Invalid("err_why_missing", "most", ReasonMost)
	}
	return why, nil
}

// Entry is a record to be written. A nil Kind stands for the current action's.
type Entry struct {
	Kind   *Kind
	Event  int64 // 0: none
	On     About
	Is     Details
	Why    string
	Topics []Topic // in addition to the kind's
	// Organization owns a record without a tournament; 0: the actor's organization.
	Organization int64
}

// record returns the record to store.
func (e Entry) record(actor rights.Actor, at engine.Millis) (Record, error) {
	r := Record{At: at, Actor: actor.String(), Kind: e.Kind.Name, Version: recordVersion, Why: e.Why,
		Topics: packTopics(e.Topics)}
	if e.Event != 0 {
		r.TournamentID = &e.Event
	} else {
		r.OrganizationID = cmp.Or(e.Organization, actor.Organization)
	}
	for field, v := range map[*string]any{&r.AboutJSON: e.On, &r.Data: e.Is} {
		text, err := json.Marshal(v)
		if err != nil {
			return r, fmt.Errorf("record %s: %w", e.Kind.Name, err)
		}
		if *field = string(text); *field == "{}" || *field == "null" {
			*field = ""
		}
	}
	r.Sum = r.summed()
	return r, nil
}

// keep appends a record to its chain. It uses plain SQL, because every action has a record and gorm's statement builder
// is slow.
func (tx *Tx) keep(r *Record) error {
	ctx, to := tx.Statement.Context, tx.Statement.ConnPool
	tournamentID := int64(0)
	if r.TournamentID != nil {
		tournamentID = *r.TournamentID
	}
	of := store.ChainFor(tournamentID, r.OrganizationID, r.Kind)
	head, err := store.RecordsHead(ctx, to, of)
	if err != nil {
		return err
	}
	r.Salt = store.NewSalt()
	r.Chain = r.chained().Link(of, head)
	if err := to.QueryRowContext(ctx, `INSERT INTO audit
		(at, tournament_id, actor, action, why, version, about, data, topics, subject, before, after, sum,
		organization_id, salt, chain)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id`,
		int64(r.At), r.TournamentID, r.Actor, r.Kind, r.Why, r.Version, r.AboutJSON, r.Data, r.Topics, r.Subject,
		r.Before, r.After, r.Sum, r.OrganizationID, r.Salt, r.Chain).Scan(&r.ID); err != nil {
		return err
	}
	return store.Recorded(ctx, to, of, r.Chain, 1)
}

// chained returns the fields that the record's hash covers.
func (r Record) chained() store.ChainedRecord {
	return store.ChainedRecord{At: int64(r.At), Actor: r.Actor, Action: r.Kind, Version: r.Version,
		About: r.AboutJSON, Data: r.Data, Subject: r.Subject, Before: r.Before, After: r.After, Why: r.Why,
		Salt: r.Salt}
}

// summed returns the checksum of a record.
func (r Record) summed() int64 {
	event := any("")
	if r.TournamentID != nil {
		event = *r.TournamentID
	}
	return store.Sum(r.At, event, r.Actor, r.Kind, r.Why, r.Version, r.AboutJSON, r.Data, r.Topics, r.Subject, r.Before,
		r.After)
}

// Step is a change from one word to another: a status, or yes and no.
type Step struct {
	Was string `json:"was,omitempty"`
	Is  string `json:"is,omitempty"`

	Prefix string `json:"-"` // prefix of the words' text keys, set by the kind
}

func (s Step) Before() []Phrase { return SayWord(s.Prefix, s.Was) }
func (s Step) After() []Phrase  { return SayWord(s.Prefix, s.Is) }

// Steps returns a constructor of Step details whose text keys have a prefix.
func Steps(prefix string) func() Details { return func() Details { return &Step{Prefix: prefix} } }

// Change is a change to a value that describes itself. The zero value of T stands for an absent one and has no phrases.
type Change[T interface{ Phrases() []Phrase }] struct {
	Was T `json:"was,omitempty,omitzero"`
	Is  T `json:"is,omitempty,omitzero"`
}

// Before describes the previous state.
func (c Change[T]) Before() []Phrase { return c.Was.Phrases() }

// After describes the new state.
func (c Change[T]) After() []Phrase { return c.Is.Phrases() }

// Value is a change from one typed text to another.
type Value struct {
	Was string `json:"was,omitempty"`
	Is  string `json:"is,omitempty"`
}

func (v Value) Before() []Phrase { return Typed(v.Was) }
func (v Value) After() []Phrase  { return Typed(v.Is) }

// Phrase is a text for people, independent of language: the key of a text and its arguments. An argument is a number, a
// typed text, a time, a Clock, a Word, a Named, a Person, a format.Format, a Phrase, a list of phrases, or Sentences. A
// phrase without a key consists of its argument "text".
type Phrase struct {
	Key  string
	Args refuse.Args
}

// Word is an argument that is itself the key of a text.
type Word string

// Named is an argument that is the name of a format or a rule set. It either has a text at Key+Name or was typed by an
// organizer.
type Named struct{ Key, Name string }

// Clock is an argument that is a time without its day.
type Clock engine.Millis

// Person is an argument that is a person's name, which keeps its own writing direction within a sentence.
type Person string

// Say returns a phrase. The arguments are given as name, value, name, value.
func Say(key string, nameValues ...any) Phrase {
	return Phrase{Key: key, Args: refuse.ArgsOf(nameValues...)}
}

// Typed returns a typed text as a phrase, or nothing for an empty one.
func Typed(text string) []Phrase {
	if text == "" {
		return nil
	}
	return []Phrase{Tell(text)}
}

// Tell returns a phrase that consists of one argument.
func Tell(v any) Phrase { return Phrase{Args: refuse.Args{"text": v}} }

// SayWord returns the phrase for a key, or nothing for an empty one.
func SayWord(prefix, key string) []Phrase {
	if key == "" {
		return nil
	}
	return []Phrase{{Key: prefix + key}}
}

// Sentences is an argument: complete sentences in sequence.
type Sentences []Phrase
