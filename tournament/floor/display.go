package floor

import (
	"cmp"
	"context"
	"reflect"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/storage"
)

// Display is a screen that shows a table of a tournament by its number, in whatever round, or with Number 0 boards for the hall. It is
// known by a token that it keeps; Settings are those of a table's address, for the edge to read.
type Display struct {
	ID           int64
	TournamentID int64
	TokenHash    string
	Number       int
	Settings     string
	Shows        Programme     `gorm:"serializer:json"` // of Number 0
	Fit          Fit           `gorm:"serializer:json"`
	CreatedAt    engine.Millis `gorm:"autoCreateTime:false"`
	SeenAt       engine.Millis
}

// NewDisplaySecrets makes the token that a fresh screen keeps, and the one-time code that it shows until staff
// choose its table.
func NewDisplaySecrets() (token, code string) { return secret.NewToken(), secret.NewCode() }

// The bounds of a display: the highest number of a table, and how often its being there is written down.
const (
	DisplayNumberMost = 1000
	displayTouch      = engine.Millis(30_000)
	displaySettings   = 200
)

// PairDisplay puts the screen that holds a token at a table, or at another one than before; or lets it show boards. Settings are
// those of the table's address.
type PairDisplay struct {
	Token      string   `json:"token"`
	Tournament int64    `json:"tournament"`
	Number     int      `json:"number,omitempty"`
	Boards     []string `json:"boards,omitempty"`
	Settings   string   `json:"settings,omitempty"`
}

var _ = door.NewKind[PairDisplay](door.Kind{Name: "display.pair", Right: rights.MayPairDisplay, Guarded: true, Changes: []door.What{door.TopicScreens},
	Details: door.Keep[door.Change[standsAt]]})

// standsAt is what a record keeps of where a screen stood or stands, and what it shows; Table 0 without boards is nowhere.
type standsAt struct {
	Table    int        `json:"table"`
	Settings string     `json:"settings,omitempty"`
	Shows    *Programme `json:"shows,omitempty"`
}

// Phrases tells the table, or the boards.
func (at standsAt) Phrases() (told []door.Phrase) {
	if at.Shows != nil {
		return at.Shows.phrases()
	}
	if at.Table == 0 {
		return nil
	}
	return []door.Phrase{door.Say("table.title", "number", at.Table)}
}

func (d Display) standsAt() standsAt {
	at := standsAt{Table: d.Number, Settings: d.Settings}
	if d.Number == 0 && d.ID != 0 {
		at.Shows = &d.Shows
	}
	return at
}

func (p PairDisplay) Do(tx *door.Tx) (Display, error) {
	old, _, err := storage.First[Display](tx.Where("token_hash = ?", secret.Hash(p.Token)))
	if err != nil {
		return old, err
	}
	to := Display{ID: old.ID, TournamentID: p.Tournament, TokenHash: secret.Hash(p.Token), Number: p.Number, Settings: p.Settings,
		Fit: old.Fit, CreatedAt: cmp.Or(old.CreatedAt, tx.Now()), SeenAt: old.SeenAt}
	if len(p.Boards) > 0 {
		to.Number, to.Shows = 0, Programme{Boards: p.Boards}
	}
	return to, placeDisplay(tx, old, &to)
}

// MoveDisplay puts a screen that is paired at another table of its tournament.
type MoveDisplay struct {
	Tournament int64 `json:"tournament"`
	ID         int64 `json:"id"`
	Number     int   `json:"number"`
}

var _ = door.NewKind[MoveDisplay](door.Kind{Name: "display.move", Right: rights.MayPairDisplay, Changes: []door.What{door.TopicScreens},
	Details: door.Keep[door.Change[standsAt]]})

func (m MoveDisplay) Do(tx *door.Tx) (Display, error) {
	old, err := findDisplay(tx.DB, m.Tournament, m.ID)
	if err != nil {
		return old, err
	}
	to := old
	to.Number, to.Shows = m.Number, Programme{}
	return to, placeDisplay(tx, old, &to)
}

// placeDisplay writes where a screen stands, and what it shows.
func placeDisplay(tx *door.Tx, old Display, to *Display) error {
	if _, err := tournament.FindTournament(tx.DB, to.TournamentID); err != nil {
		return err
	}
	if boards := to.Number == 0 && len(to.Shows.Boards) > 0; boards {
		if err := to.Shows.check(); err != nil {
			return err
		}
	} else if to.Number < 1 || to.Number > DisplayNumberMost || len(to.Settings) > displaySettings {
		return refuse.Invalid("err_display_number", "most", DisplayNumberMost)
	}
	if reflect.DeepEqual(old, *to) {
		return nil
	}
	if err := tx.Save(to).Error; err != nil {
		return err
	}
	tx.Record(door.Entry{Event: to.TournamentID, On: door.About{What: "screen", Number: to.ID}, Is: door.Change[standsAt]{Was: old.standsAt(), Is: to.standsAt()}})
	return nil
}

// RemoveDisplay takes a screen's right away: it shows a code again.
type RemoveDisplay struct {
	Tournament int64 `json:"tournament"`
	ID         int64 `json:"id"`
}

var _ = door.NewKind[RemoveDisplay](door.Kind{Name: "display.remove", Right: rights.MayPairDisplay, Changes: []door.What{door.TopicScreens},
	Details: door.Keep[door.Change[standsAt]]})

func (r RemoveDisplay) Do(tx *door.Tx) (Display, error) {
	d, err := findDisplay(tx.DB, r.Tournament, r.ID)
	if err != nil {
		return d, err
	}
	tx.Record(door.Entry{Event: r.Tournament, On: door.About{What: "screen", Number: d.ID}, Is: door.Change[standsAt]{Was: d.standsAt()}})
	return d, tx.Delete(&d).Error
}

// Displays gives a tournament's screens by the number of their tables, those of the hall first; for officials.
func Displays(ctx context.Context, s *storage.DB, actor rights.Actor, tournamentID int64) ([]Display, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPairDisplay); err != nil {
		return nil, err
	}
	return storage.All[Display](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number, id"))
}

// DisplayByToken gives the screen that holds a token, or NotFound.
func DisplayByToken(ctx context.Context, s *storage.DB, token string) (Display, error) {
	return oneDisplay(s.Read.WithContext(ctx).Where("token_hash = ?", secret.Hash(token)))
}

// SeeDisplay notes that a screen is there, not more often than every half minute.
func SeeDisplay(ctx context.Context, s *storage.DB, d Display) error {
	now := s.Millis()
	if now-d.SeenAt < displayTouch {
		return nil
	}
	return storage.Sparing(s.Write.WithContext(ctx).Model(&Display{}).Where("id = ?", d.ID).Update("seen_at", now).Error)
}

func findDisplay(db *gorm.DB, tournamentID, id int64) (Display, error) {
	return oneDisplay(db.Where("tournament_id = ? AND id = ?", tournamentID, id))
}

func oneDisplay(query *gorm.DB) (Display, error) {
	d, ok, err := storage.First[Display](query)
	if err == nil && !ok {
		err = refuse.NotFound("err_display_not_found")
	}
	return d, err
}
