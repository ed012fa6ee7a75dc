package tournament

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
)

// The levels of an announcement: a note, or something that nobody may miss.
const (
	LevelNote   = "note"
	LevelUrgent = "urgent"
)

// The bounds of an announcement: characters of a text, languages, and minutes that it stands.
const (
	announcementMost = 280
	languagesMost    = 30
	minutesMost      = 12 * 60
)

// Announcement is said to a whole event, on tablets, screens and public pages, from At until Until. Texts are by
// language; a reader whose language has none gets TextFor's choice.
type Announcement struct {
	ID           int64
	TournamentID int64
	Level        string
	Texts        map[string]string `gorm:"serializer:json"`
	Actor        string
	At           engine.Millis
	Until        engine.Millis
}

// TextFor is the text for a reader of a language: that language's, else the English one, else the first by the
// languages' tags. tag is the language of the text.
func (a Announcement) TextFor(language string) (text, tag string) {
	base, _, _ := strings.Cut(language, "-")
	for _, tag := range []string{language, base, "en"} {
		if text := a.Texts[tag]; text != "" {
			return text, tag
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(a.Texts)) {
		return a.Texts[tag], tag
	}
	return "", ""
}

// NewAnnouncement is what an announcement is made of. Texts are by language, at least one not empty.
type NewAnnouncement struct {
	Level   string
	Texts   map[string]string
	Minutes int
}

// announcement is the row of it, made at a moment; the refusal says what it lacks.
func (n NewAnnouncement) announcement(now engine.Millis) (Announcement, error) {
	a := Announcement{Level: n.Level, Texts: map[string]string{}, At: now, Until: now + engine.Millis(n.Minutes)*60_000}
	if n.Level != LevelNote && n.Level != LevelUrgent {
		return a, Refuse(Invalid, "err_announcement_level", "level", n.Level)
	}
	if n.Minutes < 1 || n.Minutes > minutesMost {
		return a, Refuse(Invalid, "err_announcement_minutes", "most", minutesMost)
	}
	for tag, text := range n.Texts {
		text = cleanText(text)
		if utf8.RuneCountInString(text) > announcementMost || len(tag) > 20 {
			return a, Refuse(Invalid, "err_announcement_text", "most", announcementMost)
		}
		if text != "" {
			a.Texts[tag] = text
		}
	}
	if len(a.Texts) == 0 || len(a.Texts) > languagesMost {
		return a, Refuse(Invalid, "err_announcement_text", "most", announcementMost)
	}
	return a, nil
}
