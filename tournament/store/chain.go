package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Link returns the hash of values: the SHA-256, in hex, of their texts, each followed by a zero byte.
func Link(values ...any) string {
	kept := sumTexts.Get().(*[]byte)
	defer sumTexts.Put(kept)
	*kept = appendTexts((*kept)[:0], values)
	sum := sha256.Sum256(*kept)
	return hex.EncodeToString(sum[:])
}

// NewSalt returns a random salt.
func NewSalt() string { return rand.Text() }

// erasedSalt is the prefix of the hash that replaces the salt of an erased text: the hash of the salt and the text.
const erasedSalt = "="

// saltsOf returns one salt for each of n texts of a row. They are derived from the row's salt, or listed in it once one
// of the texts was erased.
func saltsOf(salt string, n int) []string {
	salts := strings.Split(salt, ",")
	if len(salts) == n && (n > 1 || strings.HasPrefix(salt, erasedSalt)) {
		return salts
	}
	salts = make([]string, n)
	for i := range salts {
		salts[i] = Link(salt, i)[:len(salt)]
	}
	return salts
}

// Commit returns the commitment to a row's erasable texts, which its hash covers in their place. It reveals none of
// them without the salt, and an erasure does not change it. It is empty for an event without a reason.
func Commit(salt string, texts ...string) string {
	if salt == "" && len(texts) == 1 && texts[0] == "" {
		return ""
	}
	commits := make([]any, len(texts))
	for i, s := range saltsOf(salt, len(texts)) {
		if commit, erased := strings.CutPrefix(s, erasedSalt); erased {
			commits[i] = commit
		} else {
			commits[i] = Link(s, texts[i])
		}
	}
	return Link(commits...)
}

// EraseSalt returns a row's salt after an erasure that changed the texts from was to is. It replaces the salts of
// erased texts by their hashes.
func EraseSalt(salt string, was, is []string) string {
	salts := saltsOf(salt, len(was))
	for i := range salts {
		if was[i] != is[i] && !strings.HasPrefix(salts[i], erasedSalt) {
			salts[i] = erasedSalt + Link(salts[i], was[i])
		}
	}
	return strings.Join(salts, ",")
}

// HasErased reports whether a text of the row with this salt was erased.
func HasErased(salt string) bool { return strings.Contains(salt, erasedSalt) }

// CutReason splits the data of an event at its reason, the only text in a log that can be erased. Without a reason,
// before is all of the data.
func CutReason(data string) (before, reason, after string) {
	if !strings.Contains(data, `"reason":"`) {
		return data, "", ""
	}
	var said struct{ Reason json.RawMessage }
	if json.Unmarshal([]byte(data), &said) != nil || len(said.Reason) < len(`"r"`) || said.Reason[0] != '"' {
		return data, "", ""
	}
	before, after, found := strings.Cut(data, `"reason":`+string(said.Reason))
	if !found {
		return data, "", ""
	}
	return before + `"reason":`, string(said.Reason), after
}

// ChainedEvent holds the values of an event that its hash covers.
type ChainedEvent struct {
	Seq     int
	Kind    string
	Version int
	At      int64
	Actor   string
	Data    string
	Salt    string // of the reason; empty without one
}

// Link returns the event's hash. before is the hash of the event before it, empty for the first one.
func (e ChainedEvent) Link(game int64, before string) string {
	if before == "" {
		before = Link("game", game)
	}
	head, reason, tail := CutReason(e.Data)
	commit := Commit(e.Salt, reason)
	if HasErased(e.Salt) && reason != `"`+Erased+`"` {
		commit = "" // Erased is the only valid replacement
	}
	return Link(before, e.Seq, e.Kind, e.Version, e.At, e.Actor, head+tail, commit)
}

// ChainedRecord holds the values of a record that its hash covers. Its texts can be erased.
type ChainedRecord struct {
	At                                       int64
	Actor, Action                            string
	Version                                  int
	About, Data, Subject, Before, After, Why string
	Salt                                     string
}

// Texts returns the texts that an erasure may change.
func (r ChainedRecord) Texts() []string {
	return []string{r.About, r.Data, r.Subject, r.Before, r.After, r.Why}
}

// ChainOf identifies the chain of a record: that of its tournament, or else that of its organization. The records that
// archives leave out have a separate chain, so that they change neither the tournament's head nor its next archive.
type ChainOf struct{ Event, Organization int64 }

// ExportAction is the action of records about an export.
const ExportAction = "tournament.export"

// HomeActions are the actions whose records archives leave out: exports, longer turns and families.
var HomeActions = []string{ExportAction, "player.extra_time", "player.family"}

// ofHome replaces the organization in the chain of a tournament's HomeActions.
const ofHome = -1

// ChainFor returns the chain of a record. tournamentID is 0 for a record without a tournament.
func ChainFor(tournamentID, organization int64, action string) ChainOf {
	switch {
	case tournamentID == 0:
		return ChainOf{Organization: organization}
	case slices.Contains(HomeActions, action):
		return ChainOf{tournamentID, ofHome}
	}
	return ChainOf{Event: tournamentID}
}

// String names the chain in errors.
func (c ChainOf) String() string {
	switch {
	case c.Organization == ofHome:
		return fmt.Sprintf("event %d that archives leave out", c.Event)
	case c.Event != 0:
		return fmt.Sprint("event ", c.Event)
	case c.Organization != 0:
		return fmt.Sprint("organization ", c.Organization)
	}
	return "no event"
}

// Link returns the record's hash. before is the hash of the record before it, empty for the first one.
func (r ChainedRecord) Link(of ChainOf, before string) string {
	if before == "" {
		before = Link("records", of.Event, of.Organization)
	}
	return Link(before, r.At, r.Actor, r.Action, r.Version, Commit(r.Salt, r.Texts()...))
}

// ErasedRecords hashes the replacement texts in the erased records of a tournament. The record of the erasure keeps
// this hash, since the chain covers only the original texts.
type ErasedRecords struct{ Hash string }

// Add adds the next record, whose hash is chain.
func (e *ErasedRecords) Add(r ChainedRecord, chain string) {
	if HasErased(r.Salt) {
		e.Hash = Link(e.Hash, chain, r.About, r.Data, r.Subject, r.Before, r.After, r.Why)
	}
}

// Agrees reports whether nothing was erased, or the record of the last erasure contains the hash. details is the data
// of that record, empty if there is none.
func (e *ErasedRecords) Agrees(details string) bool {
	var noted struct{ Erased string }
	return e.Hash == "" || json.Unmarshal([]byte(details), &noted) == nil && noted.Erased == e.Hash
}

// ErasureAction is the action of the records that keep the hash of ErasedRecords.
const ErasureAction = "player.erase"

// GameHead is the hash of the last event of a game that is over.
type GameHead struct {
	Game int64
	Head string
}

// EventHead returns the hash that covers a tournament: its records, and the logs of all finished games in the order of
// their numbers.
func EventHead(records string, games []GameHead) string {
	values := []any{records}
	for _, g := range slices.SortedFunc(slices.Values(games),
		func(a, b GameHead) int { return cmp.Compare(a.Game, b.Game) }) {
		values = append(values, g.Game, g.Head)
	}
	return Link(values...)
}

// HeadsOf reads the arguments of EventHead for a tournament.
func HeadsOf(ctx context.Context, from Asked, tournamentID int64) (records string, games []GameHead, err error) {
	if records, err = RecordsHead(ctx, from, ChainOf{Event: tournamentID}); err != nil {
		return "", nil, err
	}
	games, err = gameHeads(ctx, from, "tournament_id = $1 AND status = 'finished' AND head <> ''", tournamentID)
	return records, games, err
}
