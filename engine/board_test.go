package engine

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// noon is the time of the boards in these tests. Their turns began at noon.
const noon Millis = 1_700_000_000_000

func (m Millis) time() time.Time { return time.UnixMilli(int64(m)) }

func presetRules(t testing.TB, name string) ruleset.Ruleset {
	t.Helper()
	data, err := os.ReadFile("../data/rules/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ruleset.ParseRuleset(ruleset.Ruleset{}, data)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// board parses a game in its first or a later turn from a text, such as
//
//	wrc turn 7 of B left 2
//	table R4 J R6; K5 O5 B5
//	A  R5 B9
//	B* K1            a star: has opened
//	pool R1 R2       "pool rest": all other tiles
//
// The clock has been running since noon. Sets lie in the first free places.
func board(t testing.TB, text string) State {
	t.Helper()
	s := State{Phase: PhasePlaying, At: noon, Deal: 1}
	box := tileBox{t: t}
	rest := false
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		head, tail, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case i == 0:
			s.Rules = presetRules(t, head)
			s.Turn = boardTurn(t, s.Rules, tail)
		case head == "table":
			for set := range strings.SplitSeq(tail, ";") {
				s.Table = append(s.Table, tile.Laid{At: tile.SomewhereFree, Tiles: box.take(set)})
			}
			tile.Arrange(nil, s.Table)
		case head == "pool":
			if rest = tail == "rest"; !rest {
				s.Pool = box.take(tail)
			}
		default:
			seat := int(head[0] - 'A')
			s.Racks[seat], s.Opened[seat] = box.take(tail), strings.HasSuffix(head, "*")
			s.Seats = max(s.Seats, seat+1)
		}
	}
	if rest {
		for _, one := range tile.All() {
			if !box.used[one] {
				s.Pool = append(s.Pool, one)
			}
		}
	}
	s.Had = hadBy(s, s.Turn.Left)
	s.TimeOver, s.Turn.Left = s.Turn.Left > 0 && len(s.Pool) > 0, 0
	return s
}

// hadBy returns which seats have had which turns if left turns remain, or if left is 0 and the end is unknown. The
// seats before the one to move have had their turns in the current lap.
func hadBy(s State, left int) (had Had) {
	for seat := s.Starter; ; seat = (seat + 1) % s.Seats {
		if had.Lap[seat] = true; seat == s.Turn.Seat {
			break
		}
	}
	for i := range s.Turn.Passes {
		had.Passed[(s.Turn.Seat+s.Seats-1-i)%s.Seats] = true
	}
	if left == 0 {
		return had
	}
	for seat := range s.Seats {
		had.Lap[seat], had.Dry[seat] = true, len(s.Pool) == 0
	}
	for i := range left - 1 {
		seat := (s.Turn.Seat + 1 + i) % s.Seats
		had.Lap[seat], had.Dry[seat] = false, false
	}
	return had
}

func boardTurn(t testing.TB, rules ruleset.Ruleset, text string) Turn {
	turn := Turn{Number: 1, Started: noon, Due: (&State{Rules: rules}).turnDue(0, noon)}
	fields := strings.Fields(text)
	for i := 0; i+1 < len(fields); i += 2 {
		switch fields[i] {
		case "turn":
			fmt.Sscan(fields[i+1], &turn.Number)
		case "of":
			turn.Seat = int(fields[i+1][0] - 'A')
		case "left":
			fmt.Sscan(fields[i+1], &turn.Left)
		case "passes":
			fmt.Sscan(fields[i+1], &turn.Passes)
		default:
			t.Fatalf("board: %q", text)
		}
	}
	return turn
}

// tileBox hands out physical tiles for faces, first copies first.
type tileBox struct {
	t    testing.TB
	used [tile.Count]bool
}

func (b *tileBox) take(text string) tile.List {
	b.t.Helper()
	faces, err := tile.ParseFaces(text)
	if err != nil {
		b.t.Fatal(err)
	}
	list := make(tile.List, 0, len(faces))
	for _, f := range faces {
		one := tile.Of(f, 0)
		if b.used[one] {
			one = tile.Of(f, 1)
		}
		if b.used[one] {
			b.t.Fatalf("board: a third %v", f)
		}
		b.used[one] = true
		list = append(list, one)
	}
	return list
}

// asLaid parses a table in a player's notation: "R4 R5 R6; B9 K9 J" with each set anywhere, or "@13 R4 R5 R6" with a
// place.
func asLaid(t testing.TB, text string) []tile.LaidFaces {
	t.Helper()
	var laid []tile.LaidFaces
	for part := range strings.SplitSeq(text, ";") {
		one := tile.LaidFaces{At: tile.SomewhereFree}
		part = strings.TrimSpace(part)
		if strings.HasPrefix(part, "@") {
			place, rest, _ := strings.Cut(part[1:], " ")
			fmt.Sscan(place, &one.At)
			part = rest
		}
		faces, err := tile.ParseFaces(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) == 0 {
			continue
		}
		one.Faces = faces
		laid = append(laid, one)
	}
	return laid
}

func facesText(tiles tile.List) string {
	words := make([]string, len(tiles))
	for i, one := range tiles {
		words[i] = one.Face().String()
	}
	return strings.Join(words, " ")
}

func tableText(table tile.Table) string {
	words := make([]string, len(table))
	for i, laid := range table {
		words[i] = facesText(laid.Tiles)
	}
	return strings.Join(words, "; ")
}

// tell formats an event as one line for the tables in decide_test.go: the seat, the action, and the next turn with its
// deadline counted from noon.
func tell(e Event) string {
	seat := func(n int) string { return string(rune('A' + n)) }
	switch e := e.(type) {
	case GameStarted:
		return fmt.Sprintf("%s: %s starts", e.Kind(), seat(e.Starter))
	case TilesDealt:
		return fmt.Sprintf("%s: pool %d, redeal %v -> %s", e.Kind(), len(e.Pool), e.MayRedeal, tellTurn(e.Turn))
	case RedealAsked:
		return e.Kind() + ": " + seat(e.Seat)
	case SeatReady:
		return e.Kind() + ": " + seat(e.Seat)
	case KeyPressed:
		return e.Kind() + ": " + seat(e.Seat)
	case PlayBegan:
		return e.Kind() + " -> " + tellTurn(e.Turn)
	case TilesPlayed:
		points := ""
		if e.Points > 0 {
			points = fmt.Sprintf(" opens with %d", e.Points)
		}
		return fmt.Sprintf("%s: %s lays %s%s%s -> %s", e.Kind(), seat(e.Seat), facesText(e.Played), points,
			tellLate(e.Late), tellTurn(e.Turn))
	case TileDrawn:
		return fmt.Sprintf("%s: %s %s%s -> %s", e.Kind(), seat(e.Seat), facesText(e.Tile), tellLate(e.Late),
			tellTurn(e.Turn))
	case TurnPassed:
		return fmt.Sprintf("%s: %s%s -> %s", e.Kind(), seat(e.Seat), tellLate(e.Late), tellTurn(e.Turn))
	case TurnExpired:
		return fmt.Sprintf("%s: %s draws [%s]%s -> %s", e.Kind(), seat(e.Seat), facesText(e.Tiles), tellLate(e.Late),
			tellTurn(e.Turn))
	case IllegalPlayed:
		return fmt.Sprintf("%s: %s %s draws [%s] -> %s", e.Kind(), seat(e.Seat), e.Code, facesText(e.Tiles),
			tellTurn(e.Turn))
	case GamePaused:
		return fmt.Sprintf("%s: %s, %v left%s", e.Kind(), e.Pause.Why, e.Pause.Left,
			tellMoment(" until ", e.Pause.ResumeAt))
	case GameResumed:
		return e.Kind() + " -> " + tellTurn(e.Turn)
	case TimeGiven:
		return fmt.Sprintf("%s: %d s -> %s", e.Kind(), e.Seconds, tellTurn(e.Turn))
	case PenaltyGiven:
		return fmt.Sprintf("%s: %s draws [%s] -> %s", e.Kind(), seat(e.Seat), facesText(e.Tiles), tellTurn(e.Turn))
	case TimeCalled:
		return e.Kind() + " -> " + tellTurn(e.Turn)
	case LeftoversRuled:
		return fmt.Sprintf("%s: %s of %s; table %s; rack %s; pool %s -> %s", e.Kind(), facesText(e.Tiles), seat(e.Seat),
			tableText(e.Table),
			facesText(e.Rack), facesText(e.Pool), tellTurn(e.Turn))
	case RefereeCalled:
		return e.Kind() + ": " + seat(e.Seat)
	case CallWithdrawn:
		return e.Kind() + ": " + seat(e.Seat)
	case CallAcknowledged:
		return e.Kind() + ": " + seat(e.Seat) + " by " + e.By
	case CallAnswered:
		return e.Kind() + ": " + seat(e.Seat) + " by " + e.By
	case GameEnded:
		return fmt.Sprintf("%s: %s", e.Kind(), e.End.Why)
	}
	return tellRuling(e)
}

func tellRuling(e Event) string {
	seat := func(n int) string { return e.Kind() + ": " + string(rune('A'+n)) }
	switch e := e.(type) {
	case ResumeSet:
		return fmt.Sprintf("%s: %v left%s", e.Kind(), e.Pause.Left, tellMoment(" until ", e.Pause.ResumeAt))
	case PenaltyProposed:
		return fmt.Sprintf("%s %d for %s", seat(e.Seat), e.Tiles, e.Cause)
	case PenaltyWaived:
		return fmt.Sprintf("%s, seq %d", seat(e.Seat), e.Proposal)
	case NoticeGiven:
		return seat(e.Seat)
	case WarningGiven:
		return seat(e.Seat)
	case TurnSkipped:
		return seat(e.Seat) + " -> " + tellTurn(e.Turn)
	case IllegalRuled:
		return fmt.Sprintf("%s draws [%s] -> %s", seat(e.Seat), facesText(e.Tiles), tellTurn(e.Turn))
	case RedealGranted:
		return seat(e.Seat)
	case RedealRefused:
		return seat(e.Seat)
	case SeatForfeited:
		return seat(e.Seat) + " -> " + tellTurn(e.Turn)
	case RulingCancelled:
		return fmt.Sprintf("%s: seq %d, back [%s] -> %s", e.Kind(), e.Of, facesText(e.Tiles), tellTurn(e.Turn))
	case Rewound:
		return fmt.Sprintf("%s: to turn %d -> %s", e.Kind(), e.To, tellTurn(e.Turn))
	case PositionSet:
		return fmt.Sprintf("%s: table %s; pool %s -> %s", e.Kind(), tableText(e.Table), facesText(e.Pool),
			tellTurn(e.Turn))
	}
	return "unknown " + e.Kind()
}

func tellTurn(turn Turn) string {
	text := fmt.Sprintf("turn %d of %c", turn.Number, 'A'+turn.Seat) + tellMoment(" due ", turn.Due)
	if turn.Left > 0 {
		text += fmt.Sprintf(" left %d", turn.Left)
	}
	if turn.Passes > 0 {
		text += fmt.Sprintf(" passes %d", turn.Passes)
	}
	return text
}

func tellMoment(word string, at Millis) string {
	if at == 0 {
		return ""
	}
	return fmt.Sprintf("%s%v", word, time.Duration(at-noon)*time.Millisecond)
}

func tellLate(late Millis) string {
	if late == 0 {
		return ""
	}
	return fmt.Sprintf(" late %d", late)
}

func tellAll(events []Event) []string {
	lines := make([]string, len(events))
	for i, e := range events {
		lines[i] = tell(e)
	}
	return lines
}

// tellOn is tellAll with the number of turns left after each event, starting from s.
func tellOn(s State, events []Event) []string {
	told := make([]Event, len(events))
	for i, e := range events {
		s = Apply(s, e)
		told[i] = leaving(e, s.TurnsLeft())
	}
	return tellAll(told)
}

// leaving returns e with left as the number of turns left in its turn.
func leaving(e Event, left int) Event {
	v := reflect.New(reflect.TypeOf(e)).Elem()
	v.Set(reflect.ValueOf(e))
	if turn := v.FieldByName("Turn"); turn.IsValid() && turn.Type() == reflect.TypeOf(Turn{}) {
		turn.FieldByName("Left").SetInt(int64(left))
	}
	return v.Interface().(Event)
}

// wantEvents compares events with the wanted lines, in order.
func wantEvents(t testing.TB, events []Event, err error, want ...string) {
	t.Helper()
	if err != nil {
		t.Fatalf("refused: %v; want %q", err, want)
	}
	if got := tellAll(events); !slices.Equal(got, want) {
		t.Errorf("events\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// wantRefusal checks for a refusal with this code and no events.
func wantRefusal(t testing.TB, events []Event, err error, code string) *Refusal {
	t.Helper()
	r, ok := err.(*Refusal)
	if !ok || r.Code != code || events != nil {
		t.Fatalf("got events %v, error %v; want the refusal %q", tellAll(events), err, code)
	}
	return r
}

func applyAll(s State, events []Event) State {
	for _, e := range events {
		s = Apply(s, e)
	}
	return s
}

// disturbed is a command that arrives while the player to move has rearranged the table; see asked.
type disturbed struct{ Command }

// asked decides a command, which may be a disturbed one.
func asked(s State, c Command, at Millis) ([]Event, error) {
	if d, ok := c.(disturbed); ok {
		return Decide(&s, d.Command, true, at.time())
	}
	return Decide(&s, c, false, at.time())
}

// do decides a command and applies its events. A refusal fails the test.
func do(t testing.TB, s State, c Command, at Millis) State {
	t.Helper()
	events, err := asked(s, c, at)
	if err != nil {
		t.Fatalf("%T%+v: %v", c, c, err)
	}
	return applyAll(s, events)
}
