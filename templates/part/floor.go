package part

import (
	"strings"

	"meldhall/engine"
	"meldhall/templates/locale"
)

// Names joins names with commas, isolating each so that it keeps its own text direction.
func Names(list []string) string {
	all := make([]string, len(list))
	for i, n := range list {
		all[i] = locale.Isolate(n)
	}
	return strings.Join(all, ", ")
}

// NewsItem is an announcement to a whole tournament. Text is in the language Lang; Left is how long it stays visible,
// in milliseconds.
type NewsItem struct {
	ID    int64
	Level string // note | urgent
	Text  string
	Lang  string
	Left  engine.Millis
}

// NewsMark is the level of a notice that marks the whole tournament, for example as a rehearsal. Readers cannot close
// it.
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
