package result

import (
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// The kinds and states of penalties that count apart from the games. They are stored as sanctions, as are result
// corrections that wait for a second official (CorrectedResult).
const (
	PointPenalty     = "points"
	Disqualification = "disqualification"

	PenaltyProposed  = "proposed" // awaits confirmation by a second official
	PenaltyInForce   = "in_force"
	PenaltyCancelled = "cancelled"

	penaltyPointsMost = 1000 // whole points
	penaltyRuleMost   = 40   // characters
)

// The decisions on a penalty.
const (
	decisionSeconded  = "seconded"
	DecisionCancelled = "cancelled"
)

// A Penalty counts against a player apart from the games: points off the total, or disqualification. It is never
// changed; a PenaltyDecision confirms or cancels it. Round is the number of the game's round. Without a game it is that
// of the newest published round, or 0 before the first.
type Penalty struct {
	ID           int64
	TournamentID int64
	PlayerID     int64 `gorm:"default:null"` // 0 for a correction
	GameID       *int64
	Round        int
	Kind         string
	Points       score.Twelfth
	Rule         string // its number in the regulations, or empty
	Reason       string
	Actor        string
	AccountID    *int64
	At           engine.Millis
	// CorrectionJSON is a result correction that awaits confirmation, or empty.
	CorrectionJSON string `gorm:"column:correction"`

	Player    tournament.Player // number, name and country
	Seconded  *PenaltyDecision
	Cancelled *PenaltyDecision
	Effects   []tournament.PeopleEffect `gorm:"-"` // of the current decision, on seating
	Corrected *CorrectionEffect         `gorm:"-"` // of the current decision, on a result
}

// TableName returns "sanctions".
func (Penalty) TableName() string { return "sanctions" }

// A PenaltyDecision records that a second official confirmed a disqualification or a correction, or that a penalty was
// cancelled.
type PenaltyDecision struct {
	ID        int64
	PenaltyID int64 `gorm:"column:sanction_id"`
	Decision  string
	Actor     string
	AccountID *int64
	At        engine.Millis
	Why       string
	Withdrew  bool // it withdrew the player from later rounds
}

// TableName returns "sanction_decisions".
func (PenaltyDecision) TableName() string { return "sanction_decisions" }

// State returns PenaltyProposed, PenaltyInForce or PenaltyCancelled.
func (p Penalty) State() string {
	switch {
	case p.Cancelled != nil:
		return PenaltyCancelled
	case heavy(p.Kind) && p.Seconded == nil:
		return PenaltyProposed
	}
	return PenaltyInForce
}

// heavy reports whether a second official must confirm penalties of this kind.
func heavy(kind string) bool {
	k, _ := engine.RulingKindNamed(kind)
	return k.Heavy || kind == CorrectedResult
}

// ProposedBy reports whether actor proposed the penalty and therefore cannot confirm it.
func (p Penalty) ProposedBy(actor rights.Actor) bool {
	if p.AccountID != nil && actor.Account != 0 {
		return *p.AccountID == actor.Account
	}
	return p.Actor == actor.String()
}

// PenaltyGrounds holds the player who gets a penalty and the reason. Game is 0 for a penalty that belongs to no game.
// Seen is the newest penalty of the tournament that the official has seen. If the player got another one since, the
// penalty is refused, so that two officials do not punish the same offence twice. Seen 0 skips the check.
type PenaltyGrounds struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Player     int64  `json:"player" minimum:"1"`
	Game       int64  `json:"game,omitempty" minimum:"0" doc:"the game it concerns; 0: none"`
	Rule       string `json:"rule,omitempty" maxLength:"200" doc:"the number of the article in the regulations"`
	Reason     string `json:"reason" maxLength:"2000"`
	Seen       int64  `json:"seen,omitempty" minimum:"0" doc:"the newest sanction of the event that the official has seen: 409 if the player received another one since; 0: no check"`
}

// GivePenalty takes whole points off a player's total, effective at once.
type GivePenalty struct {
	PenaltyGrounds
	Points int `json:"points"`
}

// ProposeDisqualification proposes to disqualify a player. It takes effect when a second official confirms it
// (SecondPenalty).
type ProposeDisqualification struct{ PenaltyGrounds }

var (
	_ = action.NewKind[GivePenalty](action.Kind{Name: "sanction.give", Right: rights.MayRule,
		Changes: []action.What{action.TopicStandings, action.TopicPenalties},
		Details: action.Keep[PenaltyGiven]})
	_ = action.NewKind[ProposeDisqualification](action.Kind{Name: "sanction.propose", Right: rights.MayRuleHeavily,
		Changes: []action.What{action.TopicStandings, action.TopicPenalties},
		Details: action.Keep[PenaltyGiven]})
)

// NewPenalty returns the action that gives a penalty of a kind. points must be 0 for a kind without points.
func NewPenalty(kind string, points int, grounds PenaltyGrounds) (action.ActionOf[Penalty], error) {
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

func (g GivePenalty) Do(tx *action.Tx) (Penalty, error) {
	if g.Points < 1 || g.Points > penaltyPointsMost {
		return Penalty{}, refusePoints(g.Points)
	}
	return g.give(tx, Penalty{Kind: PointPenalty, Points: score.Whole(g.Points)})
}

func (d ProposeDisqualification) Do(tx *action.Tx) (Penalty, error) {
	return d.give(tx, Penalty{Kind: Disqualification})
}

// give stores a penalty on these grounds.
func (g PenaltyGrounds) give(tx *action.Tx, p Penalty) (Penalty, error) {
	p.TournamentID, p.PlayerID, p.Rule, p.Reason = g.Tournament, g.Player, spelling.Clean(g.Rule),
		spelling.Clean(g.Reason)
	p.Actor, p.AccountID, p.At = tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	if utf8.RuneCountInString(p.Rule) > penaltyRuleMost {
		return p, refuse.Invalid("err_sanction_rule", "most", penaltyRuleMost)
	}
	if err := checkWhy(p.Reason); err != nil {
		return p, err
	}
	var err error
	if p.Player, err = store.ByID[tournament.Player](tx.Omit("email").Where("tournament_id = ?", p.TournamentID),
		"player",
		p.PlayerID); err != nil {
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
	tx.Record(action.Entry{Event: p.TournamentID, On: on, Why: p.Reason, Is: p.given()})
	return p, err
}

// place sets the penalty's round: the game's, or the newest published one. The game itself is stored only if it has
// begun, because a waiting game can still be deleted, for example when its round is withdrawn.
func (p *Penalty) place(tx *gorm.DB, game int64) error {
	if game == 0 {
		return tx.Model(&tournament.Round{}).Where("tournament_id = ? AND status <> ?", p.TournamentID,
			tournament.RoundDraft).
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

// checkNews rejects a penalty if the player got another one that the official has not seen. It also rejects a second
// disqualification.
func (p *Penalty) checkNews(tx *gorm.DB, seen int64) error {
	have, err := recordedPenalties(tx.Where("player_id = ?", p.PlayerID))
	if err != nil {
		return err
	}
	for _, other := range have {
		if seen != 0 && other.ID > seen {
			return refuse.Conflict("err_sanction_since", "name", p.Player.Name, "by", tournament.NameOf(other.Actor))
		}
		if p.Kind == Disqualification && other.Kind == p.Kind && other.Cancelled == nil {
			return refuse.Conflict("err_sanction_twice", "name", p.Player.Name)
		}
	}
	return nil
}

func (p Penalty) given() PenaltyGiven { return PenaltyGiven{p.Kind, p.Points, p.Rule} }

// PenaltyGiven is the audit record of a penalty.
type PenaltyGiven struct {
	Kind   string        `json:"kind"`
	Points score.Twelfth `json:"points,omitempty"`
	Rule   string        `json:"rule,omitempty"`
}

// After describes the penalty.
func (p PenaltyGiven) After() []action.Phrase {
	parts := []action.Phrase{action.Say("sanction.disqualification")}
	switch p.Kind {
	case PointPenalty:
		parts[0] = action.Say("sanction.points", "points", p.Points)
	case CorrectedResult:
		parts[0] = action.Say("sanction.correction")
	}
	if p.Rule != "" {
		parts = append(parts, action.Say("sanction.rule", "rule", p.Rule))
	}
	return []action.Phrase{action.Tell(parts)}
}

func checkWhy(why string) error {
	if why == "" || utf8.RuneCountInString(why) > action.ReasonMost {
		return refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	return nil
}

// accountOf returns the actor's account ID, which identifies an official, or nil without an account.
func accountOf(actor rights.Actor) *int64 {
	if actor.Account == 0 {
		return nil
	}
	return &actor.Account
}
