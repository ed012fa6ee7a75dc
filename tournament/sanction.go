package tournament

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// The kinds of sanctions, and what can have become of one.
const (
	SanctionPoints           = "points"
	SanctionDisqualification = "disqualification"

	SanctionProposed  = "proposed" // a disqualification that a second official has not confirmed
	SanctionInForce   = "in_force"
	SanctionCancelled = "cancelled"

	sanctionPointsMost = 1000 // whole points
	sanctionRuleMost   = 40   // characters
)

// The decisions on a sanction.
const (
	decisionSeconded  = "seconded"
	decisionCancelled = "cancelled"
)

// Sanction counts against a player besides the games, apart from them: points off the total, or disqualification.
// Nothing of it is ever changed: what becomes of it is decided by further entries. Round is the number of the round that
// was on, 0 before the first.
type Sanction struct {
	ID           int64
	TournamentID int64
	PlayerID     int64
	GameID       *int64
	Round        int
	Kind         string
	Points       engine.Twelfth
	Rule         string // its number in the regulations, or empty
	Reason       string
	Actor        string
	AccountID    *int64
	At           engine.Millis

	Player    Player            `gorm:"-"` // number, name and country
	Seconded  *SanctionDecision `gorm:"-"`
	Cancelled *SanctionDecision `gorm:"-"`
}

// SanctionDecision is that a disqualification was confirmed by a second official, or a sanction cancelled.
type SanctionDecision struct {
	ID         int64
	SanctionID int64
	Decision   string
	Actor      string
	AccountID  *int64
	At         engine.Millis
	Why        string
	Withdrew   bool // it took the player out of the rounds to come
}

// NewSanction is a sanction to be given. Game is 0 for one that belongs to no game. Points are whole ones, 0 for a
// disqualification. Seen is the newest sanction of the event that the official has seen: when the player was given
// another one since, the new one is refused, so that two officials do not punish the same twice; 0 is not checked.
type NewSanction struct {
	Player int64
	Game   int64
	Kind   string
	Points int
	Rule   string
	Reason string
	Seen   int64
}

// State is proposed, in_force or cancelled.
func (s Sanction) State() string {
	switch {
	case s.Cancelled != nil:
		return SanctionCancelled
	case heavy(s.Kind) && s.Seconded == nil:
		return SanctionProposed
	}
	return SanctionInForce
}

// ProposedBy tells whether the actor is the one who proposed it, who therefore cannot second it.
func (s Sanction) ProposedBy(actor rights.Actor) bool {
	if s.AccountID != nil && actor.Account != 0 {
		return *s.AccountID == actor.Account
	}
	return s.Actor == actor.String()
}

// String is what the audit says of it.
func (s Sanction) String() string {
	text := s.Kind
	if s.Kind == SanctionPoints {
		text = s.Points.String() + " points"
	}
	if s.Rule != "" {
		text += ", rule " + s.Rule
	}
	return text
}

func (n NewSanction) clean() (NewSanction, error) {
	n.Rule, n.Reason = cleanText(n.Rule), cleanText(n.Reason)
	switch {
	case n.Kind != SanctionPoints && n.Kind != SanctionDisqualification:
		return n, refuse.Invalid("err_sanction_kind", "kind", n.Kind)
	case n.Kind == SanctionPoints && (n.Points < 1 || n.Points > sanctionPointsMost), n.Kind == SanctionDisqualification && n.Points != 0:
		return n, refuse.Invalid("err_sanction_points", "points", n.Points, "most", sanctionPointsMost)
	case utf8.RuneCountInString(n.Rule) > sanctionRuleMost:
		return n, refuse.Invalid("err_sanction_rule", "most", sanctionRuleMost)
	}
	return n, checkWhy(n.Reason)
}

// action is the right that a sanction of a kind needs.
func sanctionRight(kind string) rights.Right {
	if !heavy(kind) {
		return rights.MayRule
	}
	return rights.MayRuleHeavily
}

// heavy tells whether a second official has to confirm a sanction; one of no kind that there is is none that anybody may
// give alone.
func heavy(kind string) bool {
	k, ok := engine.RulingKindNamed(kind)
	return k.Heavy || !ok || !k.Apart
}

func checkWhy(why string) error {
	if why == "" || utf8.RuneCountInString(why) > whyMost {
		return refuse.Invalid("err_why_missing", "most", whyMost)
	}
	return nil
}

func (s Sanction) subject() string { return fmt.Sprintf("sanction %d, %s", s.ID, s.Player.subject()) }

// nameOf is the name in an actor of the record: Ann of organizer:Ann.
func nameOf(actor string) string {
	if _, name, ok := strings.Cut(actor, ":"); ok {
		return name
	}
	return actor
}

// accountOf is what tells an official apart; nil for an actor without an account.
func accountOf(actor rights.Actor) *int64 {
	if actor.Account == 0 {
		return nil
	}
	return &actor.Account
}
