// Package play renders what several audiences see of a game: the table, the racks, the clock, calls for the referee,
// the result and the standings. The view of a game is Game; it holds only what its viewer may see.
package play

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// Person is a player as shown to others.
type Person struct {
	Name    string
	Country string
	Profile templ.SafeURL // public page; empty at practice tables
}

// GamePlace identifies a game: game Number of Of at table Table in round Round.
type GamePlace struct {
	Event  string
	Stage  string // name of the stage; empty: none
	Round  int
	Table  int
	Number int
	Of     int
	// Practice is the strength of the bots at a practice table, as in the text keys. It is empty at other tables.
	Practice string
}

// Game is a game as one viewer sees it, with the players' names, which the engine does not have. View.Seat is the
// viewer's seat.
type Game struct {
	ID           int64
	Place        GamePlace
	Seats        []Person // by seat
	View         engine.View
	Assist       bool             // the rules let the viewer see what fits
	Meanwhile    engine.Meanwhile // since the viewer's last turn, while the game runs
	Draft        []tile.LaidFaces // this seat's draft of the current turn, as last sent
	Drafted      bool             // View.Table is another seat's draft
	Standing     []RankRow        // after the game: current standings of this table's players
	Field        int              // number of players in the standings
	Charged      bool             // the points are charges: the winner has none
	Counted      bool             // after the game: the referee has confirmed the count
	Rev          int              // after the game: revision of the valid result
	Agreed       []bool           // after the game, by seat: confirmed the count; nil if not visible
	Corrected    *Result          // after the game: the result if an official changed it
	CorrectedWhy string           // reason for Corrected
	Penalties    []OwnPenalty     // the viewer's own penalty, while it is recent
	Openings     []OpeningProof   // after the game, for viewers who may see its racks
	Protests     []Protest        // after the game, for its players and officials
	MayProtest   bool             // after the game: the viewer may protest
	Replay       templ.SafeURL    // after the game: its replay; empty if not available
	Sign         *Sign            // what the viewer's device needs to sign a command; nil if it signs none
	Lesson       *Lesson          // the step of a lesson at a practice table, or nil
}

// Sign is what a player's device needs to sign its next command, see data/record/signature.md. Key is the player's key
// as the server knows it. Last and Statement are the key and the statement of the seat's last signed command in this
// game.
type Sign struct {
	Player    int64  `json:"player"`
	Key       string `json:"key"`
	Seen      int    `json:"seen"`
	History   string `json:"history"`
	Last      string `json:"last"`
	Statement string `json:"statement"`
}

func (s Sign) text() string {
	text, _ := json.Marshal(s) // numbers and strings always encode
	return string(text)
}

// ledges returns the number of ledges for a rack of n tiles on a tablet's screen.
func ledges(n int) string {
	if n > 20 {
		return "3"
	}
	return "2"
}

// mayRedealInPlay reports whether the viewer may still ask for a redeal during play. In some rule sets that right lasts
// until the end of the seat's own first turn.
func (g Game) mayRedealInPlay() bool {
	return g.View.Phase == engine.PhasePlaying && g.View.MayRedeal
}

// mine reports whether it is the viewer's turn and the game is not paused.
func (g Game) mine() bool {
	v := g.View
	return v.Phase == engine.PhasePlaying && v.Turn.Seat == v.Seat && v.Paused == nil
}

// profile returns the public page of a seat's player, for spectators.
func (g Game) profile(seat int) templ.SafeURL {
	if g.View.Seat != engine.Spectator {
		return ""
	}
	return g.Person(seat).Profile
}

// Practice reports whether this is a practice table.
func (g Game) Practice() bool { return g.Place.Practice != "" }

// address returns the tablet's page, room the player's page between games, and enter the page for taking a seat.
func (g Game) address() templ.SafeURL {
	if g.Practice() {
		return templates.PracticeGamePath
	}
	return templates.GamePath
}

func (g Game) room() templ.SafeURL {
	if g.Practice() {
		return templates.PracticePath
	}
	return templates.PlayPath
}

func (g Game) enter() templ.SafeURL {
	if g.Practice() {
		return templates.PracticePath
	}
	return templates.JoinPath
}

func (g Game) seated() bool { return g.View.Seat >= 0 && g.View.Seat < len(g.View.Seats) }

// Person returns the player at a seat, empty if there is none.
func (g Game) Person(seat int) Person {
	if seat >= 0 && seat < len(g.Seats) {
		return g.Seats[seat]
	}
	return Person{}
}

// NameOf returns the name of a seat's player for use in a sentence, isolated from the sentence's text direction.
func (g Game) NameOf(seat int) string { return locale.Isolate(g.Person(seat).Name) }

// WithReason appends an official's reason to a sentence.
func WithReason(ctx context.Context, text, reason string) string {
	if reason == "" {
		return text
	}
	return text + " " + locale.Isolate(Sentence(ReasonWords(ctx, reason)))
}

// feltAttrs lets the keyboard scroll the panel in the middle of the screen while no table is shown there.
func (g Game) feltAttrs(ctx context.Context) templ.Attributes {
	if g.View.Phase == engine.PhasePlaying {
		return nil
	}
	return templ.Attributes{"tabindex": "0", "role": "region", "aria-label": locale.T(ctx, "game.felt")}
}

// Ready reports whether the viewer has confirmed to be ready for the first turn.
func (g Game) Ready() bool { return g.seated() && g.View.Seats[g.View.Seat].Ready }

func (g Game) draft() string {
	if len(g.Draft) == 0 {
		return ""
	}
	text, err := json.Marshal(g.Draft)
	if err != nil {
		return "" // faces come from the engine and always have a text
	}
	return string(text)
}

// Order returns the seats in playing order, the viewer's last, so that the next player comes first.
func (g Game) Order() []int {
	n := len(g.View.Seats)
	seats := make([]int, n)
	for i := range seats {
		seats[i] = i
		if g.seated() {
			seats[i] = (g.View.Seat + 1 + i) % n
		}
	}
	return seats
}

// SeatState describes what a seat is doing, and how much extra time its turns have.
func (g Game) SeatState(ctx context.Context, seat int) string {
	if extra := g.View.Seats[seat].Extra; extra > 0 {
		return g.SeatDoes(ctx, seat) + " · " + locale.T(ctx, "seat.extra", "n", extra)
	}
	return g.SeatDoes(ctx, seat)
}

// SeatDoes describes what a seat is doing.
func (g Game) SeatDoes(ctx context.Context, seat int) string {
	v := g.View
	s := v.Seats[seat]
	switch {
	case v.Phase == engine.PhaseDealt && s.Ready:
		return locale.T(ctx, "seat.ready")
	case v.Phase == engine.PhaseDealt:
		return locale.T(ctx, "seat.looking")
	case v.Phase == engine.PhasePlaying && v.Turn.Seat == seat && seat == v.Seat:
		return locale.T(ctx, "seat.your_turn")
	case v.Phase == engine.PhasePlaying && v.Turn.Seat == seat:
		return locale.T(ctx, "seat.turn")
	case s.Opened:
		return locale.T(ctx, "seat.opened")
	}
	return locale.T(ctx, "seat.not_opened")
}

// LastWords returns one sentence about the last action, or "" if there was none.
func (g Game) LastWords(ctx context.Context) string {
	l := g.View.Last
	if l == nil {
		return ""
	}
	if g.View.Physical {
		return g.RealLast(ctx)
	}
	key := "last." + l.Kind
	if l.Seat == g.View.Seat {
		key += ".you"
	}
	return g.toldText(ctx, key, *l)
}

// toldText returns the sentence about an action for a text key that starts with "last.".
func (g Game) toldText(ctx context.Context, key string, l engine.LastView) string {
	if lost(l.Kind) {
		return LostWords(ctx, key, g.NameOf(l.Seat), l)
	}
	return g.lastText(ctx, key, l)
}

// lastText returns the text about an action, or "" if the key has no text.
func (g Game) lastText(ctx context.Context, key string, l engine.LastView) string {
	if l.Drawn == 0 && locale.HasText(key+".none") {
		key += ".none"
	}
	if !locale.HasText(key) {
		return ""
	}
	n := l.Drawn
	if n == 0 {
		n = len(l.Played)
	}
	return locale.T(ctx, key, "n", n, "name", locale.Isolate(g.Person(l.Seat).Name), "points", l.Points)
}

// didLine is one event since the viewer's last turn: another player's action in brief, or what the viewer's own turn
// cost.
type didLine struct{ name, text string }

const didLines = 3

// costs lists the kinds of events about the viewer's own turn that stay visible until the viewer's next turn ends: the
// turn ended against the player's will, or cost tiles.
var costs = []string{engine.TurnExpired{}.Kind(), engine.IllegalPlayed{}.Kind(), engine.PenaltyGiven{}.Kind()}

// fined returns the number of penalty tiles among the new tiles on the viewer's rack.
func (g Game) fined() (n int) {
	for _, l := range g.Meanwhile.Did {
		if l.Seat == g.View.Seat && slices.Contains(costs, l.Kind) {
			n += l.Drawn
		}
	}
	return min(n, len(g.Meanwhile.Drawn))
}

// since returns what happened since the viewer's last turn, the newest last. It returns nil if there is only one line,
// because lastWords covers it.
func (g Game) since(ctx context.Context) (lines []didLine) {
	if g.View.Physical || g.Ruled() {
		return nil
	}
	var own []didLine
	for _, l := range g.Meanwhile.Did {
		switch {
		case l.Seat != g.View.Seat:
			if text := g.lastText(ctx, "since."+l.Kind, l); text != "" {
				lines = append(lines, didLine{g.Person(l.Seat).Name, text})
			}
		case slices.Contains(costs, l.Kind):
			own = append(own, didLine{text: g.toldText(ctx, "last."+l.Kind+".you", l)})
		}
	}
	own = own[max(0, len(own)-1):]
	lines = append(own, lines[max(0, len(lines)+len(own)-didLines):]...)
	if len(lines) == 1 {
		return nil
	}
	return lines
}

// StuckWords states, for a game that ended because no player laid tiles any more, whether a player could have. It
// returns "" if that is unknown, or hidden from the viewer.
func (g Game) StuckWords(ctx context.Context) string {
	r := g.View.Result
	switch {
	case r == nil:
		return ""
	case r.Proven:
		return locale.T(ctx, "end.proven")
	case len(r.Could) == 0:
		return ""
	}
	var could []string
	for _, seat := range r.Could {
		could = append(could, g.Person(seat).Name)
	}
	return locale.T(ctx, "end.could", "names", part.Names(could))
}

// EndWords describes in one sentence how the game ended.
func (g Game) EndWords(ctx context.Context) string {
	r := g.View.Result
	if r == nil {
		return ""
	}
	winner := -1
	for seat, w := range r.Wins {
		if w == 0 {
			continue
		}
		if winner >= 0 {
			return locale.T(ctx, "end.shared."+r.Why)
		}
		winner = seat
	}
	if winner == g.View.Seat {
		return locale.T(ctx, "end.you."+r.Why)
	}
	return locale.T(ctx, "end."+r.Why, "name", locale.Isolate(g.Person(winner).Name))
}

// StartWords names the player who starts.
func (g Game) StartWords(ctx context.Context) string {
	if g.View.Starter == g.View.Seat {
		return locale.T(ctx, "start.you")
	}
	return locale.T(ctx, "start.title", "name", locale.Isolate(g.Person(g.View.Starter).Name))
}

// Drawn returns the tiles that a seat drew to decide who starts.
func (g Game) Drawn(seat int) []engine.Drawn {
	var drawn []engine.Drawn
	for _, d := range g.View.Draws {
		if d.Seat == seat {
			drawn = append(drawn, d)
		}
	}
	return drawn
}

// PoolEmpty reports whether a running game has no tile left to draw.
func (g Game) PoolEmpty() bool { return g.View.Pool == 0 && (!g.View.Physical || g.View.PoolEmpty) }

// TurnWords returns the line above the buttons before the player moves the first tile.
func (g Game) TurnWords(ctx context.Context) string {
	v := g.View
	switch {
	case v.Phase == engine.PhaseDealt:
		return locale.T(ctx, "turn.dealt")
	case g.mine() && g.seated() && !v.Seats[v.Seat].Opened && g.PoolEmpty():
		return locale.T(ctx, "turn.open_pass", "need", v.MeldPoints)
	case g.mine() && g.seated() && !v.Seats[v.Seat].Opened:
		return locale.T(ctx, "turn.open", "need", v.MeldPoints)
	case g.mine() && g.PoolEmpty():
		return locale.T(ctx, "turn.yours_pass")
	case g.mine():
		return locale.T(ctx, "turn.yours")
	case v.TimeOver:
		return locale.T(ctx, "turn.last_lap", "name", locale.Isolate(g.Person(v.Turn.Seat).Name))
	}
	return locale.T(ctx, "turn.other", "name", locale.Isolate(g.Person(v.Turn.Seat).Name))
}

// PausedWords returns why a paused game is paused.
func PausedWords(ctx context.Context, g Game) string {
	p := g.View.Paused
	switch p.Why {
	case engine.HeldForPlayers:
		return locale.T(ctx, "pause.held", "names", part.Names(g.awaited()))
	case engine.PausedByOutage:
		if p.ResumeAt == 0 {
			return locale.T(ctx, "pause.unwritten")
		}
		return locale.T(ctx, "pause.outage")
	}
	if p.ResumeAt != 0 {
		return locale.T(ctx, "pause.soon")
	}
	return locale.T(ctx, "pause.referee")
}

// Held reports whether the game waits for players who had no device when it was dealt.
func (g Game) Held() bool { return g.View.Paused != nil && g.View.Paused.Why == engine.HeldForPlayers }

// awaited returns the names of the players whom a held game waits for.
func (g Game) awaited() (list []string) {
	if !g.Held() {
		return nil
	}
	for _, seat := range g.View.Paused.Absent {
		if s := g.View.Seats[seat]; !s.Ready && !s.Out {
			list = append(list, g.Person(seat).Name)
		}
	}
	return list
}

// ChargeWords explains a rack's charge, or returns "" if its tiles alone explain it.
func ChargeWords(ctx context.Context, c score.Charge) string {
	key := "charge." + c.Reason
	if c.Reason == "" || !locale.HasText(key) {
		return ""
	}
	return locale.T(ctx, key)
}

// orderText formats tiles as the log does, with an apostrophe for second copies.
func orderText(tiles tile.List) string {
	text, err := tiles.MarshalText()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// replayable reports whether the last action was a play, which a button beside its line can show again.
func (g Game) replayable() bool {
	return g.View.Phase == engine.PhasePlaying && g.View.Last != nil && len(g.View.Last.Played) > 0
}

// wonBy announces which player emptied the rack. It returns "" before the end and for every other end.
func (g Game) wonBy(ctx context.Context) string {
	r := g.View.Result
	if r == nil || r.Why != ruleset.EndedEmptied {
		return ""
	}
	winner := slices.IndexFunc(r.Wins, func(w score.Twelfth) bool { return w > 0 })
	if winner == g.View.Seat {
		return locale.T(ctx, "moment.you")
	}
	return locale.T(ctx, "moment.other", "name", locale.Isolate(g.Person(winner).Name))
}

// Closed reports whether the game is over and its result is hidden.
func (g Game) Closed() bool { return g.View.Phase == engine.PhaseOver && g.View.Result == nil }

// HeldBack reports whether the table is hidden from this viewer because other tables play the same tiles.
func (g Game) HeldBack() bool { return g.View.Held && g.View.Seat == engine.Spectator }
