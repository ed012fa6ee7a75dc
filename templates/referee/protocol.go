package referee

import (
	"context"
	"strings"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
)

// Protocol is the complete record of a game in the reader's language. The page renders it, and the API returns it
// unchanged.
type Protocol struct {
	Game      int64            `json:"game_id"`
	EventID   int64            `json:"tournament_id"`
	Event     string           `json:"event"`
	Venue     string           `json:"place,omitempty"`
	Stage     string           `json:"stage,omitempty"`
	Round     int              `json:"round"`
	Table     int              `json:"table"`
	Number    int              `json:"number" doc:"the game's number at its table"`
	Of        int              `json:"of"`
	Physical  bool             `json:"physical,omitempty" doc:"played with real tiles"`
	Began     engine.Millis    `json:"began,omitempty"`
	Ended     engine.Millis    `json:"ended,omitempty"`
	Players   []ProtocolPlayer `json:"players" doc:"in seat order"`
	Rules     ruleset.Ruleset  `json:"rules"`
	RulesName string           `json:"-"` // in words, marked if they differ from their preset
	Starter   int              `json:"starter" doc:"the first seat to move"`
	Draws     []engine.Drawn   `json:"draws,omitempty" doc:"the tiles drawn for the start"`
	Course    []ProtocolLine   `json:"course" doc:"every event of the log, in order"`
	Pauses    []ProtocolPause  `json:"pauses"`
	EndWhy    string           `json:"end,omitempty"`
	EndText   string           `json:"end_text,omitempty"`
	Count     []ProtocolSeat   `json:"count,omitempty" doc:"racks and charges at the end of the game"`
	Signed    []ProtocolSigned `json:"signed,omitempty" doc:"which players agreed to which revision of the count"`
	Protests  []play.Protest   `json:"-"`
	Penalties []ProtocolLine   `json:"sanctions,omitempty" doc:"point penalties and disqualifications given in this game"`
	Revisions []ProtocolResult `json:"revisions,omitempty" doc:"the result's revisions, oldest first"`
	Seal      ProtocolSeal     `json:"seal"`
}

// ProtocolPlayer is a player at the table.
type ProtocolPlayer struct {
	Seat    int    `json:"seat"`
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Country string `json:"country,omitempty"`
	Extra   int    `json:"extra_seconds,omitempty"`
}

// ProtocolLine is one log event in words. Turn is the turn in which it happened; Took is how long the turn lasted if
// the event ended it.
type ProtocolLine struct {
	Seq       int           `json:"seq,omitempty"`
	At        engine.Millis `json:"at"`
	Kind      string        `json:"kind"`
	Turn      int           `json:"turn,omitempty"`
	Took      engine.Millis `json:"took,omitempty"`
	Late      engine.Millis `json:"late,omitempty" doc:"after the deadline, within the grace period"`
	Text      string        `json:"text"`
	Laid      tile.FaceList `json:"laid,omitempty"`
	Ruling    bool          `json:"ruling,omitempty"`
	By        string        `json:"by,omitempty"`
	Rule      string        `json:"rule,omitempty" doc:"the article of the regulations"`
	Reason    string        `json:"reason,omitempty"`
	Cancelled int           `json:"cancelled,omitempty" doc:"the seq of the event that cancelled it"`
}

// ProtocolPause is an interval in which the clock was stopped; Until is 0 during the pause.
type ProtocolPause struct {
	From   engine.Millis `json:"from"`
	Until  engine.Millis `json:"until,omitempty"`
	Why    string        `json:"why" doc:"referee or outage"`
	Reason string        `json:"reason,omitempty"`
	By     string        `json:"by,omitempty"`
}

// ProtocolSeat is a seat's count.
type ProtocolSeat struct {
	Seat   int           `json:"seat"`
	Rack   tile.FaceList `json:"rack"`
	Opened bool          `json:"opened"`
	Charge int           `json:"charge"`
	Reason string        `json:"reason,omitempty"`
	Points score.Twelfth `json:"points"`
	Wins   score.Twelfth `json:"wins"`
}

// ProtocolSigned is a player's confirmation of the count.
type ProtocolSigned struct {
	Seat int           `json:"seat"`
	Rev  int           `json:"rev"`
	At   engine.Millis `json:"at"`
}

// ProtocolResult is one revision of the result.
type ProtocolResult struct {
	Rev    int             `json:"rev"`
	At     engine.Millis   `json:"at"`
	Status string          `json:"status"`
	Ending string          `json:"ending"`
	By     string          `json:"by"`
	Why    string          `json:"why,omitempty"`
	Points []score.Twelfth `json:"points" doc:"by seat"`
	Wins   []score.Twelfth `json:"wins" doc:"by seat"`
}

// ProtocolSeal is what anyone can verify: the commitment to the shuffle, and a hash of the log.
type ProtocolSeal struct {
	Commitment string `json:"commitment,omitempty"`
	Salt       string `json:"salt,omitempty"`
	Holds      bool   `json:"holds" doc:"the commitment matches the salt and the order"`
	Events     int    `json:"events"`
	LogHash    string `json:"log_hash,omitempty" doc:"SHA-256 of the exported log: one line per event with seq, kind, version, time, actor and data, separated by spaces"`
}

// ProtocolView is the protocol as a printable page.
type ProtocolView struct {
	part.Page
	P        Protocol
	Openings []play.OpeningProof
	Official bool
}

func (v ProtocolView) name(seat int) string {
	if seat >= 0 && seat < len(v.P.Players) {
		return v.P.Players[seat].Name
	}
	return ""
}

func (v ProtocolView) points(ctx context.Context, points score.Twelfth) string {
	return locale.PointsText(ctx, points, v.P.Rules.Points == ruleset.Penalty)
}

func (v ProtocolView) draws(seat int) (faces []tile.Face) {
	for _, d := range v.P.Draws {
		if d.Seat == seat {
			faces = append(faces, d.Tile)
		}
	}
	return faces
}

// length formats a duration in minutes and seconds.
func length(d engine.Millis) string {
	return "\u2066" + locale.Num(int(d/60_000)) + ":" + twoDigits(int(d/1000%60)) + "\u2069"
}

func twoDigits(n int) string { return locale.Num(n/10%10) + locale.Num(n%10) }

func (p ProtocolPause) words(ctx context.Context) string {
	switch p.Why {
	case engine.PausedByOutage:
		return locale.T(ctx, "log.outage")
	case engine.HeldForPlayers:
		return locale.T(ctx, "log.held")
	}
	return play.WithReason(ctx, locale.T(ctx, "log.paused"), p.Reason)
}

// RulesWords names the rules of the game, with their edition from the second one on.
func (p Protocol) RulesWords(ctx context.Context) string {
	if p.Rules.Version <= 1 {
		return p.RulesName
	}
	return locale.T(ctx, "protocol.rules", "name", p.RulesName, "version", p.Rules.Version)
}

// EndWords describes how a game ended. If it ended because no player laid tiles any more, the text also states whether
// a player could have.
func EndWords(ctx context.Context, g play.Game) string {
	return strings.TrimSpace(g.EndWords(ctx) + " " + g.StuckWords(ctx))
}

// ProtestsView lists all protests of a tournament for its officials, the open ones first.
type ProtestsView struct {
	part.Page
	Event   int64
	All     []play.Protest
	Decides bool // the reader may decide protests
	Problem string
}
