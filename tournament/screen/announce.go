// Package screen manages what the hall of a tournament shows and who looks after it: screens, announcements, and the
// zones of officials. Its actions go through package action like all others. Nothing in the competition itself depends
// on it.
package screen

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// The levels of an announcement: a note, or something that everyone in the hall must see.
const (
	LevelNote   = "note"
	LevelUrgent = "urgent"
)

// The limits of an announcement: characters per text, languages, and minutes on display.
const (
	announcementMost = 280
	languagesMost    = 30
	minutesMost      = 12 * 60
)

// Announcement is shown to a whole tournament, on tablets, screens and public pages, from At until Until. Texts are by
// language; for a reader's language without a text, TextFor chooses another one.
type Announcement struct {
	ID           int64
	TournamentID int64
	Level        string
	Texts        map[string]string `gorm:"serializer:json"`
	Actor        string
	At           engine.Millis
	Until        engine.Millis
}

// TextFor returns the text for a reader of a language: that language's, else the English one, else the first by
// language tag. tag is the language of the text.
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

// Announce makes an announcement to a whole tournament. Texts are by language; at least one must not be empty.
type Announce struct {
	Tournament int64             `json:"tournament,omitempty" path:"id" minimum:"1"`
	Level      string            `json:"level" enum:"note,urgent"`
	Texts      map[string]string `json:"texts" doc:"by language, such as en; readers of other languages get the English text, or the first"`
	Minutes    int               `json:"minutes" doc:"how long it is shown"`
}

var _ = action.NewKind[Announce](action.Kind{Name: "announce", Right: rights.MayAnnounce,
	Changes: []action.What{action.TopicNews}, Details: action.Keep[announced]})

// announced is the record of an announcement.
type announced struct {
	Level   string            `json:"level"`
	Minutes int               `json:"minutes"`
	Texts   map[string]string `json:"texts"`
}

// After returns the announcement in one of its languages.
func (a announced) After() []action.Phrase {
	text, _ := Announcement{Texts: a.Texts}.TextFor("en")
	return []action.Phrase{action.Say("log.is.announced", "level", action.Word("announce.level."+a.Level), "n",
		a.Minutes, "text", text)}
}

func (n Announce) Do(tx *action.Tx) (Announcement, error) {
	a, err := n.announcement(tx.Now())
	if err != nil {
		return Announcement{}, err
	}
	if _, err := tournament.FindTournament(tx.DB, n.Tournament); err != nil {
		return Announcement{}, err
	}
	a.TournamentID, a.Actor = n.Tournament, tx.Actor.String()
	tx.Record(action.Entry{Event: n.Tournament, Is: announced{a.Level, n.Minutes, a.Texts}})
	return a, tx.Create(&a).Error
}

// announcement returns the row of an announcement made at a moment, or an error that names the invalid field.
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

// EndAnnouncement ends an announcement early. One that has ended stays unchanged.
type EndAnnouncement struct {
	ID int64 `json:"id,omitempty" path:"id" of:"announcements" minimum:"1"`
}

var _ = action.NewKind[EndAnnouncement](action.Kind{Name: "announce.end", Right: rights.MayAnnounce,
	Changes: []action.What{action.TopicNews},
	Details: action.Keep[ended]})

// ended is the record of an announcement that was ended.
type ended struct{ announced }

// Before returns the announcement.
func (e ended) Before() []action.Phrase { return e.announced.After() }

// After returns nothing, since the announcement has ended.
func (ended) After() []action.Phrase { return nil }

func (e EndAnnouncement) Do(tx *action.Tx) (a Announcement, err error) {
	if a, err = store.ByID[Announcement](tx.DB, "announcement", e.ID); err != nil {
		return a, err
	}
	if a.Until <= tx.Now() {
		return a, nil
	}
	tx.Record(action.Entry{Event: a.TournamentID, On: action.About{What: "announcement", Number: a.ID},
		Is: ended{announced{a.Level, int((a.Until - a.At) / 60_000), a.Texts}}})
	a.Until = tx.Now()
	return a, tx.Model(&a).Update("until", a.Until).Error
}

// Announced returns a tournament's current announcements, newest first, at most 100. Anyone may call it.
func Announced(ctx context.Context, s *store.DB, tournamentID int64) ([]Announcement, error) {
	return announcements(ctx, s, tournamentID, s.Millis())
}

// Announcements returns a tournament's announcements, including ended ones, newest first, at most 100. Only officials
// may call it.
func Announcements(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Announcement, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := tournament.TournamentByID(ctx, s, tournamentID); err != nil {
		return nil, err
	}
	return announcements(ctx, s, tournamentID, 0)
}

func announcements(ctx context.Context, s *store.DB, tournamentID int64, after engine.Millis) ([]Announcement, error) {
	return store.All[Announcement](s.Read.WithContext(ctx).Where("tournament_id = ? AND until > ?", tournamentID,
		after).Order("id DESC").Limit(100))
}
