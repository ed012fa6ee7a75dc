package tournament

import (
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
)

// The kinds of penalties that count apart from the games, and what can have become of one. They are kept as sanctions, as the
// corrections of results that wait for a second official are (CorrectedResult).
const (
	PointPenalty     = "points"
	Disqualification = "disqualification"

	PenaltyProposed  = "proposed" // a second official has not confirmed it
	PenaltyInForce   = "in_force"
	PenaltyCancelled = "cancelled"

	penaltyPointsMost = 1000 // whole points
	penaltyRuleMost   = 40   // characters
)

// The decisions on a penalty.
const (
	decisionSeconded  = "seconded"
	decisionCancelled = "cancelled"
)

// Penalty counts against a player besides the games, apart from them: points off the total, or disqualification.
// Nothing of it is ever changed: what becomes of it is decided by further entries. Round is the number of the round that
// was on, 0 before the first.
type Penalty struct {
	ID           int64
	TournamentID int64
	PlayerID     int64 `gorm:"default:null"` // 0: a correction's
	GameID       *int64
	Round        int
	Kind         string
	Points       engine.Twelfth
	Rule         string // its number in the regulations, or empty
	Reason       string
	Actor        string
	AccountID    *int64
	At           engine.Millis
	// CorrectionJSON is the correction of a result that waits, else empty.
	CorrectionJSON string `gorm:"column:correction"`

	Player    Player // number, name and country
	Seconded  *PenaltyDecision
	Cancelled *PenaltyDecision
	Effects   []PeopleEffect    `gorm:"-"` // of the decision in hand on who plays where
	Corrected *CorrectionEffect `gorm:"-"` // of the decision in hand on a result
}

// TableName is sanctions.
func (Penalty) TableName() string { return "sanctions" }

// PenaltyDecision is that a disqualification was confirmed by a second official, or a penalty cancelled.
type PenaltyDecision struct {
	ID        int64
	PenaltyID int64 `gorm:"column:sanction_id"`
	Decision  string
	Actor     string
	AccountID *int64
	At        engine.Millis
	Why       string
	Withdrew  bool // it took the player out of the rounds to come
}

// TableName is sanction_decisions.
func (PenaltyDecision) TableName() string { return "sanction_decisions" }

// State is proposed, in_force or cancelled.
func (p Penalty) State() string {
	switch {
	case p.Cancelled != nil:
		return PenaltyCancelled
	case heavy(p.Kind) && p.Seconded == nil:
		return PenaltyProposed
	}
	return PenaltyInForce
}

// heavy tells whether a second official has to confirm a penalty of a kind.
func heavy(kind string) bool {
	k, _ := engine.RulingKindNamed(kind)
	return k.Heavy || kind == CorrectedResult
}

// ProposedBy tells whether the actor is the one who proposed it, who therefore cannot second it.
func (p Penalty) ProposedBy(actor rights.Actor) bool {
	if p.AccountID != nil && actor.Account != 0 {
		return *p.AccountID == actor.Account
	}
	return p.Actor == actor.String()
}

// PenaltyGrounds is who gets a penalty, and on what grounds. Game is 0 for one that belongs to no game. Seen is the newest
// penalty of the event that the official has seen: when the player was given another one since, the new one is refused, so
// that two officials do not punish the same twice; 0 is not checked.
type PenaltyGrounds struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Player     int64  `json:"player" minimum:"1"`
	Game       int64  `json:"game,omitempty" minimum:"0" doc:"in which it came to that; 0: none"`
	Rule       string `json:"rule,omitempty" maxLength:"200" doc:"its number in the regulations"`
	Reason     string `json:"reason" maxLength:"2000"`
	Seen       int64  `json:"seen,omitempty" minimum:"0" doc:"the newest sanction of the event that the official has seen: 409 when the player was given another one since; 0: not checked"`
}

// GivePenalty takes whole points off a player's total, which counts at once.
type GivePenalty struct {
	PenaltyGrounds
	Points int `json:"points"`
}

// ProposeDisqualification proposes to disqualify a player, which counts when a second official confirms it
// (SecondPenalty).
type ProposeDisqualification struct{ PenaltyGrounds }

var (
	_ = door.NewKind[GivePenalty](door.Kind{Name: "sanction.give", Right: rights.MayRule, Changes: []door.What{door.TopicStandings, door.TopicPenalties},
		Details: door.Keep[penaltyGiven]})
	_ = door.NewKind[ProposeDisqualification](door.Kind{Name: "sanction.propose", Right: rights.MayRuleHeavily, Changes: []door.What{door.TopicStandings, door.TopicPenalties},
		Details: door.Keep[penaltyGiven]})
)

// NewPenalty is the action that gives a penalty of a kind, with points for one that has them.
func NewPenalty(kind string, points int, grounds PenaltyGrounds) (door.ActionOf[Penalty], error) {
	switch {
	case kind == PointPenalty:
		return GivePenalty{grounds, points}, nil
	case kind != Disqualification:
		return nil, refuse.Invalid("err_sanction_kind", "kind", kind)
	case points != 0:
		return nil, refusePoints(points)
	}
	return ProposeDisqualification{grounds}, nil
}

func refusePoints(points int) error {
	return refuse.Invalid("err_sanction_points", "points", points, "most", penaltyPointsMost)
}

func (g GivePenalty) Do(tx *door.Tx) (Penalty, error) {
	if g.Points < 1 || g.Points > penaltyPointsMost {
		return Penalty{}, refusePoints(g.Points)
	}
	return g.give(tx, Penalty{Kind: PointPenalty, Points: engine.Whole(g.Points)})
}

func (d ProposeDisqualification) Do(tx *door.Tx) (Penalty, error) {
	return d.give(tx, Penalty{Kind: Disqualification})
}

// give writes a penalty on these grounds.
func (g PenaltyGrounds) give(tx *door.Tx, p Penalty) (Penalty, error) {
	p.TournamentID, p.PlayerID, p.Rule, p.Reason = g.Tournament, g.Player, spelling.Clean(g.Rule), spelling.Clean(g.Reason)
	p.Actor, p.AccountID, p.At = tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	if utf8.RuneCountInString(p.Rule) > penaltyRuleMost {
		return p, refuse.Invalid("err_sanction_rule", "most", penaltyRuleMost)
	}
	if err := checkWhy(p.Reason); err != nil {
		return p, err
	}
	var err error
	if p.Player, err = storage.ByID[Player](tx.Omit("email").Where("tournament_id = ?", p.TournamentID), "player", p.PlayerID); err != nil {
		return p, err
	}
	if err := p.place(tx.DB, g.Game); err != nil {
		return p, err
	}
	if err := p.checkNews(tx.DB, g.Seen); err != nil {
		return p, err
	}
	if err := tx.Create(&p).Error; err != nil {
		return p, err
	}
	on, err := p.about(tx.DB)
	tx.Record(door.Entry{Event: p.TournamentID, On: on, Why: p.Reason, Is: p.given()})
	return p, err
}

// place finds the round that a penalty belongs to: the game's, or the one that is on. A game that has not begun may still go, as
// when its round is withdrawn: the penalty keeps its round alone.
func (p *Penalty) place(tx *gorm.DB, game int64) error {
	if game == 0 {
		return tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", p.TournamentID, RoundDraft).
			Select("coalesce(max(number), 0)").Scan(&p.Round).Error
	}
	var at struct {
		Round int
		Begun bool
	}
	found := tx.Raw(`SELECT r.number AS round, g.status <> 'waiting' OR g.started_at <> 0 OR r.started_at <> 0 AS begun
		FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		JOIN seats e ON e.table_id = t.id WHERE g.id = ? AND r.tournament_id = ? AND e.player_id = ?`, game, p.TournamentID, p.PlayerID).Scan(&at)
	if found.Error == nil && found.RowsAffected == 0 {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	if p.Round = at.Round; at.Begun {
		p.GameID = &game
	}
	return found.Error
}

// checkNews refuses a penalty that comes after another one which its official has not seen, and to disqualify twice.
func (p *Penalty) checkNews(tx *gorm.DB, seen int64) error {
	have, err := recordedPenalties(tx.Where("player_id = ?", p.PlayerID))
	if err != nil {
		return err
	}
	for _, other := range have {
		if seen != 0 && other.ID > seen {
			return refuse.Conflict("err_sanction_since", "name", p.Player.Name, "by", nameOf(other.Actor))
		}
		if p.Kind == Disqualification && other.Kind == p.Kind && other.Cancelled == nil {
			return refuse.Conflict("err_sanction_twice", "name", p.Player.Name)
		}
	}
	return nil
}

func (p Penalty) given() penaltyGiven { return penaltyGiven{p.Kind, p.Points, p.Rule} }

// penaltyGiven is what a record of a penalty keeps.
type penaltyGiven struct {
	Kind   string         `json:"kind"`
	Points engine.Twelfth `json:"points,omitempty"`
	Rule   string         `json:"rule,omitempty"`
}

// After tells the penalty.
func (p penaltyGiven) After() []door.Phrase {
	parts := []door.Phrase{door.Say("sanction.disqualification")}
	switch p.Kind {
	case PointPenalty:
		parts[0] = door.Say("sanction.points", "points", p.Points)
	case CorrectedResult:
		parts[0] = door.Say("sanction.correction")
	}
	if p.Rule != "" {
		parts = append(parts, door.Say("sanction.rule", "rule", p.Rule))
	}
	return []door.Phrase{door.Tell(parts)}
}

func checkWhy(why string) error {
	if why == "" || utf8.RuneCountInString(why) > door.ReasonMost {
		return refuse.Invalid("err_why_missing", "most", door.ReasonMost)
	}
	return nil
}

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
