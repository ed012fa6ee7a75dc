package textrecord

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// cursor reads the words of a statement. After the first fault it stays where it is, and returns zero values.
type cursor struct {
	words []word
	end   word // the place after the last word
	err   *Error
}

// peek returns the next word, empty at the end.
func (c *cursor) peek() word {
	if len(c.words) == 0 {
		return c.end
	}
	return c.words[0]
}

func (c *cursor) next() word {
	w := c.peek()
	if len(c.words) > 0 && c.err == nil {
		c.words = c.words[1:]
	}
	return w
}

// take reads the next word if it is text, and reports whether it was.
func (c *cursor) take(text string) bool {
	if c.err != nil || c.peek().text != text {
		return false
	}
	c.next()
	return true
}

// more reports whether a word is left that a part of a line can begin with.
func (c *cursor) more() bool { return c.err == nil && len(c.words) > 0 }

func (c *cursor) fail(err *Error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *cursor) expected(w word, what string) {
	have := "the line ends"
	if w.text != "" {
		have = shortened(w.text)
	}
	c.fail(w.fault("expected %s, but here is %s", what, have))
}

// shortened returns a word for an error.
func shortened(text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return strconv.Quote(text)
}

// seat reads a seat, S1 to S4.
func (c *cursor) seat() int {
	w := c.next()
	seat, ok := seatIn(w.text)
	if !ok {
		c.expected(w, "a seat, S1 to S4")
	}
	return seat
}

func seatIn(text string) (seat int, ok bool) {
	if len(text) != 2 || text[0] != 'S' || text[1] < '1' || text[1] > '0'+ruleset.MaxSeats {
		return 0, false
	}
	return int(text[1] - '1'), true
}

func seatText(seat int) string { return "S" + strconv.Itoa(seat+1) }

// number reads a whole number.
func (c *cursor) number(what string) int {
	w := c.next()
	n, ok := numberIn(w.text)
	if !ok {
		c.expected(w, what)
	}
	return n
}

func numberIn(text string) (n int, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) == 0 || len(digits) > 9 || digits[0] < '0' || digits[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// value reads name=value and returns the value, decoded if it is a string. ok is false if the next word has another
// name.
func (c *cursor) value(name string) (text string, ok bool) {
	w := c.peek()
	text, ok = strings.CutPrefix(w.text, name+"=")
	if !ok || c.err != nil {
		return "", false
	}
	c.next()
	return c.unquote(w, text), true
}

// unquote decodes a string in a word. Other text stays as it is.
func (c *cursor) unquote(w word, text string) string {
	if !strings.HasPrefix(text, `"`) {
		return text
	}
	var decoded string
	if json.Unmarshal([]byte(text), &decoded) != nil {
		c.expected(w, "a string as in JSON")
	}
	return decoded
}

var plainText = regexp.MustCompile(`^[A-Za-z0-9_.:/=,+-]+$`)

// quote returns a text as value reads it: as it is, or as a JSON string.
func quote(text string) string {
	if plainText.MatchString(text) {
		return text
	}
	return string(marshal(text))
}

// valueNumber reads name=number. Without it, valueNumber returns otherwise.
func (c *cursor) valueNumber(name string, otherwise int) int {
	w := c.peek()
	text, ok := c.value(name)
	if !ok {
		return otherwise
	}
	n, ok := numberIn(text)
	if !ok {
		c.expected(w, name+"= with a number")
	}
	return n
}

var (
	secondsForm = regexp.MustCompile(`^([0-9]{1,10})(?:\.([0-9]{1,3}))?s$`)
	momentForm  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T`)
)

const momentLayout = "2006-01-02T15:04:05.000Z"

// time reads a time: seconds since the moment before, or a moment. Without one, time returns before.
func (c *cursor) time(before engine.Millis) engine.Millis {
	w := c.peek()
	switch {
	case secondsForm.MatchString(w.text):
		c.next()
		return before + millisIn(w.text)
	case momentForm.MatchString(w.text):
		c.next()
		at, err := time.Parse(time.RFC3339, w.text)
		if err != nil {
			c.expected(w, "a moment such as 2026-01-31T09:00:00.000Z")
		}
		return engine.MillisOf(at)
	}
	return before
}

// millisIn returns the duration of a text that matches secondsForm.
func millisIn(text string) engine.Millis {
	part := secondsForm.FindStringSubmatch(text)
	seconds, _ := strconv.ParseInt(part[1], 10, 64)
	fraction, _ := strconv.ParseInt((part[2] + "000")[:3], 10, 64)
	return engine.Millis(seconds*1000 + fraction)
}

// timeText returns the time of an event as time reads it, without a time for that of the event before. ok is false for
// a time that only a full form can state.
func timeText(before, at engine.Millis, first bool) (text string, ok bool) {
	since := at - before
	switch {
	case first:
		text = time.UnixMilli(int64(at)).UTC().Format(momentLayout)
		back, err := time.Parse(time.RFC3339, text)
		return text, err == nil && engine.MillisOf(back) == at && momentForm.MatchString(text)
	case since == 0:
		return "", true
	case since < 0 || since > 9_999_999_999_999:
		return "", false
	}
	return secondsText(since), true
}

func secondsText(d engine.Millis) string {
	return strconv.FormatFloat(float64(d)/1000, 'f', -1, 64) + "s"
}

// tileIn parses a tile such as R7 or R7'.
func tileIn(text string) (t tile.Tile, ok bool) {
	name, second := strings.CutSuffix(text, "'")
	face, err := tile.ParseFace(name)
	if err != nil || text[0] == 'Y' {
		return 0, false
	}
	copied := 0
	if second {
		copied = 1
	}
	return tile.Of(face, copied), true
}

// tiles reads tiles up to another word.
func (c *cursor) tiles() (list tile.List) {
	for c.more() {
		t, ok := tileIn(c.peek().text)
		if !ok {
			break
		}
		c.next()
		list = append(list, t)
	}
	return list
}

// done fails if a word is left.
func (c *cursor) done() {
	if c.more() {
		c.expected(c.peek(), "the end of the line")
	}
}

func tilesText(list tile.List) string {
	text, _ := list.MarshalText()
	return string(text)
}
