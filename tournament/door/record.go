package door

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Record says what was done that is no event of a game: what kind of action, who, when, why, on what, and how it was and is,
// written in the same transaction. It is enough to tell somebody who was not there. Version is that of the kind's fields; a
// record of version 0 was written by a program that kept English sentences, which it has as Subject, Before and After.
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

	Sum int64 // of all of it but whose it is, as storage.Sum makes it

	Salt, Chain string // see storage.ChainedRecord

	OrganizationID int64 // of a record of no event: of whose it is; 0: the house's
}

// TableName is audit.
func (Record) TableName() string { return "audit" }

// About is on what something was done, as people know it: numbers of the event, and the names of the time. Game is the game's
// id. Empty fields do not matter.
type About struct {
	Round   int    `json:"round,omitempty"`
	Table   int    `json:"table,omitempty"`
	Game    int64  `json:"game,omitempty"`
	GameNo  int    `json:"game_number,omitempty"`
	Seat    int    `json:"seat,omitempty"` // from 1
	Stage   int    `json:"stage,omitempty"`
	Player  int    `json:"player,omitempty"`  // the start number
	Name    string `json:"name,omitempty"`    // of the player, or whatever else it was
	What    string `json:"what,omitempty"`    // of things that have a number and no name: screen, announcement
	Number  int64  `json:"number,omitempty"`  // its number
	Players []int  `json:"players,omitempty"` // start numbers of more whom it concerns
	Tables  []int  `json:"tables,omitempty"`  // of more tables
	Rounds  []int  `json:"rounds,omitempty"`  // of more rounds
}

// Details are what records of a kind keep besides. After tells in no language how it is; see Before.
type Details interface{ After() []Phrase }

// Before tells how it was, of details that say so: they have a method of this name.
func Before(d Details) []Phrase {
	if was, ok := d.(interface{ Before() []Phrase }); ok {
		return was.Before()
	}
	return nil
}

// About reads on what a record is.
func (r Record) About() (on About) {
	if r.AboutJSON != "" {
		_ = json.Unmarshal([]byte(r.AboutJSON), &on) // what was written by this program can be read by it
	}
	return on
}

// Details reads what a record keeps; nil for a record of another program's fields, and where the kind keeps nothing.
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

// changed is what the action of a record has changed; of one in sentences, who sits where.
func (r Record) changed() (c Changed) {
	if r.TournamentID != nil {
		c.Tournament = *r.TournamentID
	}
	if r.Topics == "" || json.Unmarshal([]byte(r.Topics), &c.Topics) != nil {
		c.Add(Topic{What: TopicSeats})
	}
	return c
}

// recordVersion is the version of the fields that are written now.
const recordVersion = 1

// ReasonMost is how long a reason may be, in characters.
const ReasonMost = engine.ReasonMost

// CleanWhy is a reason as a record keeps it, which may be none.
func CleanWhy(text string) (string, error) {
	why := strings.TrimSpace(text)
	if utf8.RuneCountInString(why) > ReasonMost {
		return "", refuse.Invalid("err_why_missing", "most", ReasonMost)
	}
	return why, nil
}

// Entry is a record on its way. A nil kind is that of the action in hand.
type Entry struct {
	Kind   *Kind
	Event  int64 // 0: none
	On     About
	Is     Details
	Why    string
	Topics []Topic // more than the kind's
	// Organization is whose the record is where it is of no event; 0: that of who acts.
	Organization int64
}

// record is what is kept of it.
func (e Entry) record(actor rights.Actor, at engine.Millis) (Record, error) {
	r := Record{At: at, Actor: actor.String(), Kind: e.Kind.Name, Version: recordVersion, Why: e.Why, Topics: packTopics(e.Topics)}
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

// keep appends a record to its chain. It writes plain SQL, because every action has a record and gorm's statement
// builder is slow.
func (tx *Tx) keep(r *Record) error {
	ctx, to := tx.Statement.Context, tx.Statement.ConnPool
	event := int64(0)
	if r.TournamentID != nil {
		event = *r.TournamentID
	}
	of := storage.ChainFor(event, r.OrganizationID, r.Kind)
	head, err := storage.RecordsHead(ctx, to, of)
	if err != nil {
		return err
	}
	r.Salt = storage.NewSalt()
	r.Chain = r.chained().Link(of, head)
	if err := to.QueryRowContext(ctx, `INSERT INTO audit
		(at, tournament_id, actor, action, why, version, about, data, topics, subject, before, after, sum,
		organization_id, salt, chain)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		int64(r.At), r.TournamentID, r.Actor, r.Kind, r.Why, r.Version, r.AboutJSON, r.Data, r.Topics, r.Subject,
		r.Before, r.After, r.Sum, r.OrganizationID, r.Salt, r.Chain).Scan(&r.ID); err != nil {
		return err
	}
	return storage.Recorded(ctx, to, of, r.Chain, 1)
}

// chained returns the fields that the record's hash covers.
func (r Record) chained() storage.ChainedRecord {
	return storage.ChainedRecord{At: int64(r.At), Actor: r.Actor, Action: r.Kind, Version: r.Version,
		About: r.AboutJSON, Data: r.Data, Subject: r.Subject, Before: r.Before, After: r.After, Why: r.Why,
		Salt: r.Salt}
}

// summed is the checksum of a record.
func (r Record) summed() int64 {
	event := any("")
	if r.TournamentID != nil {
		event = *r.TournamentID
	}
	return storage.Sum(r.At, event, r.Actor, r.Kind, r.Why, r.Version, r.AboutJSON, r.Data, r.Topics, r.Subject, r.Before, r.After)
}

// Step is a word that became another one: a status, or yes and no.
type Step struct {
	Was string `json:"was,omitempty"`
	Is  string `json:"is,omitempty"`

	Prefix string `json:"-"` // of the words' texts, which the kind knows
}

func (s Step) Before() []Phrase { return SayWord(s.Prefix, s.Was) }
func (s Step) After() []Phrase  { return SayWord(s.Prefix, s.Is) }

// Steps are the details of a kind whose words' texts have a prefix.
func Steps(prefix string) func() Details { return func() Details { return &Step{Prefix: prefix} } }

// Change is what a record keeps of a thing that has become another one: each tells itself, and nothing where there was, or is, none.
type Change[T interface{ Phrases() []Phrase }] struct {
	Was T `json:"was,omitempty,omitzero"`
	Is  T `json:"is,omitempty,omitzero"`
}

// Before tells what it was.
func (c Change[T]) Before() []Phrase { return c.Was.Phrases() }

// After tells what it is.
func (c Change[T]) After() []Phrase { return c.Is.Phrases() }

// Value is a text as it was typed that became another one.
type Value struct {
	Was string `json:"was,omitempty"`
	Is  string `json:"is,omitempty"`
}

func (v Value) Before() []Phrase { return Typed(v.Was) }
func (v Value) After() []Phrase  { return Typed(v.Is) }

// Phrase is something to be said to people, in no language: the key of a text and its arguments. An argument is a number, a
// text as it was typed, a Word, a Named, a Person, a format.Format, a Phrase, a list of phrases, or Sentences. A phrase without a key is its
// argument "text" alone.
type Phrase struct {
	Key  string
	Args refuse.Args
}

// Word is an argument that is itself the key of a text.
type Word string

// Named is an argument that is a name of a format or a rule set: it has a text at Key+Name, or is what an organizer called it.
type Named struct{ Key, Name string }

// Person is an argument that is a name, which keeps its own direction of writing inside a sentence.
type Person string

// Say makes a phrase. The arguments are given as name, value, name, value.
func Say(key string, nameValues ...any) Phrase {
	return Phrase{Key: key, Args: refuse.ArgsOf(nameValues...)}
}

// Typed says a text as it was typed; nothing for an empty one.
func Typed(text string) []Phrase {
	if text == "" {
		return nil
	}
	return []Phrase{Tell(text)}
}

// Tell says an argument alone.
func Tell(v any) Phrase { return Phrase{Args: refuse.Args{"text": v}} }

// SayWord says the text of a key; nothing for an empty one.
func SayWord(prefix, key string) []Phrase {
	if key == "" {
		return nil
	}
	return []Phrase{{Key: prefix + key}}
}

// Sentences is an argument: whole sentences one after the other.
type Sentences []Phrase
