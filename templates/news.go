package templates

import "meldhall/engine"

// NewsItem is an announcement to a whole event. Text is in the language Lang; Left is how many milliseconds it
// still stands.
type NewsItem struct {
	ID    int64
	Level string // note | urgent
	Text  string
	Lang  string
	Left  engine.Millis
}

// NewsMark is the level of what an event is, which cannot be closed.
const NewsMark = "mark"

func (n NewsItem) role() string {
	if n.Level == "urgent" {
		return "alert"
	}
	return "status"
}

func (n NewsItem) sign() string {
	if n.Level == "urgent" {
		return "now"
	}
	return "dot"
}
