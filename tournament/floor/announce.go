// Package floor is what stands and is said around the tables of an event: screens, the zones that officials look after,
// announcements. Its actions go through the door as all do; nothing of the competition depends on it.
package floor

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/storage"
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

// Announcement is made to a whole event, on tablets, screens and public pages, from At until Until. Texts are by
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

// Announce says something to a whole event. Texts are by language, at least one not empty.
type Announce struct {
	Tournament int64             `json:"tournament,omitempty" path:"id" minimum:"1"`
	Level      string            `json:"level" enum:"note,urgent"`
	Texts      map[string]string `json:"texts" doc:"by language, such as en; a reader of another language gets the English one, or the first"`
	Minutes    int               `json:"minutes" doc:"how long it stands"`
}

var _ = door.NewKind[Announce](door.Kind{Name: "announce", Right: rights.MayAnnounce, Changes: []door.What{door.TopicNews}, Details: door.Keep[announced]})

// announced is what a record of an announcement keeps.
type announced struct {
	Level   string            `json:"level"`
	Minutes int               `json:"minutes"`
	Texts   map[string]string `json:"texts"`
}

// After says what was said, in one of its languages.
func (a announced) After() []door.Phrase {
	text, _ := Announcement{Texts: a.Texts}.TextFor("en")
	return []door.Phrase{door.Say("log.is.announced", "level", door.Word("announce.level."+a.Level), "n", a.Minutes, "text", text)}
}

func (n Announce) Do(tx *door.Tx) (Announcement, error) {
	a, err := n.announcement(tx.Now())
	if err != nil {
		return Announcement{}, err
	}
	if _, err := tournament.FindTournament(tx.DB, n.Tournament); err != nil {
		return Announcement{}, err
	}
	a.TournamentID, a.Actor = n.Tournament, tx.Actor.String()
	tx.Record(door.Entry{Event: n.Tournament, Is: announced{a.Level, n.Minutes, a.Texts}})
	return a, tx.Create(&a).Error
}

// announcement is the row of it, made at a moment; the refusal says what it lacks.
func (n Announce) announcement(now engine.Millis) (Announcement, error) {
	a := Announcement{Level: n.Level, Texts: map[string]string{}, At: now, Until: now + engine.Millis(n.Minutes)*60_000}
	if n.Level != LevelNote && n.Level != LevelUrgent {
		return a, refuse.Invalid("err_announcement_level", "level", n.Level)
	}
	if n.Minutes < 1 || n.Minutes > minutesMost {
		return a, refuse.Invalid("err_announcement_minutes", "most", minutesMost)
	}
	for tag, text := range n.Texts {
		text = spelling.Clean(text)
		if utf8.RuneCountInString(text) > announcementMost || len(tag) > 20 {
			return a, refuse.Invalid("err_announcement_text", "most", announcementMost)
		}
		if text != "" {
			a.Texts[tag] = text
		}
	}
	if len(a.Texts) == 0 || len(a.Texts) > languagesMost {
		return a, refuse.Invalid("err_announcement_text", "most", announcementMost)
	}
	return a, nil
}

// EndAnnouncement takes an announcement away before its time. One that has ended stays as it is.
type EndAnnouncement struct {
	ID int64 `json:"id,omitempty" path:"id" of:"announcements" minimum:"1"`
}

var _ = door.NewKind[EndAnnouncement](door.Kind{Name: "announce.end", Right: rights.MayAnnounce, Changes: []door.What{door.TopicNews},
	Details: door.Keep[ended]})

// ended is what a record of an announcement keeps that was taken away.
type ended struct{ announced }

// Before says what was said.
func (e ended) Before() []door.Phrase { return e.announced.After() }

// After says nothing: it is gone.
func (ended) After() []door.Phrase { return nil }

func (e EndAnnouncement) Do(tx *door.Tx) (a Announcement, err error) {
	if a, err = storage.ByID[Announcement](tx.DB, "announcement", e.ID); err != nil {
		return a, err
	}
	if a.Until <= tx.Now() {
		return a, nil
	}
	tx.Record(door.Entry{Event: a.TournamentID, On: door.About{What: "announcement", Number: a.ID}, Is: ended{announced{a.Level, int((a.Until - a.At) / 60_000), a.Texts}}})
	a.Until = tx.Now()
	return a, tx.Model(&a).Update("until", a.Until).Error
}

// Announced gives an event's current announcements, the newest first; for everybody.
func Announced(ctx context.Context, s *storage.DB, event int64) ([]Announcement, error) {
	return announcements(ctx, s, event, s.Millis())
}

// Announcements gives all that was ever said to an event, the newest first; for officials.
func Announcements(ctx context.Context, s *storage.DB, actor rights.Actor, event int64) ([]Announcement, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := tournament.TournamentByID(ctx, s, event); err != nil {
		return nil, err
	}
	return announcements(ctx, s, event, 0)
}

func announcements(ctx context.Context, s *storage.DB, event int64, after engine.Millis) ([]Announcement, error) {
	return storage.All[Announcement](s.Read.WithContext(ctx).Where("tournament_id = ? AND until > ?", event, after).Order("id DESC").Limit(100))
}
