package screen

import (
	"cmp"
	"context"
	"reflect"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// Display is a screen that shows the table with a number in every round of a tournament or, with Number 0, boards for
// the hall. It is identified by a token that it stores. Settings is the query of the table's address, which only the
// web packages read.
type Display struct {
	ID           int64
	TournamentID int64
	TokenHash    string
	Number       int
	Settings     string
	Shows        Programme     `gorm:"serializer:json"` // for Number 0
	Fit          Fit           `gorm:"serializer:json"`
	CreatedAt    engine.Millis `gorm:"autoCreateTime:false"`
	SeenAt       engine.Millis
}

// The limits of a display: the highest table number, how often its presence is recorded, and the length of its settings
// in bytes.
const (
	DisplayNumberMost = 1000
	displayTouch      = engine.Millis(30_000)
	displaySettings   = 200
)

// PairDisplay assigns the screen that holds a token to a table, or reassigns it, or sets the boards that it shows.
// Settings are those of the table's address.
type PairDisplay struct {
	Token      string   `json:"token"`
	Tournament int64    `json:"tournament"`
	Number     int      `json:"number,omitempty"`
	Boards     []string `json:"boards,omitempty"`
	Settings   string   `json:"settings,omitempty"`
}

var _ = action.NewKind[PairDisplay](action.Kind{Name: "display.pair", Right: rights.MayPairDisplay, Guarded: true,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[standsAt]]})

// standsAt is the record of a screen's place and contents. Table 0 without boards means none.
type standsAt struct {
	Table    int        `json:"table"`
	Settings string     `json:"settings,omitempty"`
	Shows    *Programme `json:"shows,omitempty"`
}

// Phrases describes the table or the boards.
func (at standsAt) Phrases() (told []action.Phrase) {
	if at.Shows != nil {
		return at.Shows.phrases()
	}
	if at.Table == 0 {
		return nil
	}
	return []action.Phrase{action.Say("table.title", "number", at.Table)}
}

func (d Display) standsAt() standsAt {
	at := standsAt{Table: d.Number, Settings: d.Settings}
	if d.Number == 0 && d.ID != 0 {
		at.Shows = &d.Shows
	}
	return at
}

func (p PairDisplay) Do(tx *action.Tx) (Display, error) {
	old, _, err := store.First[Display](tx.Where("token_hash = ?", secret.Hash(p.Token)))
	if err != nil {
		return old, err
	}
	to := Display{ID: old.ID, TournamentID: p.Tournament, TokenHash: secret.Hash(p.Token), Number: p.Number,
		Settings: p.Settings,
		Fit:      old.Fit, CreatedAt: cmp.Or(old.CreatedAt, tx.Now()), SeenAt: old.SeenAt}
	if len(p.Boards) > 0 {
		to.Number, to.Shows = 0, Programme{Boards: p.Boards}
	}
	return to, placeDisplay(tx, old, &to)
}

// MoveDisplay assigns a paired screen to another table of its tournament.
type MoveDisplay struct {
	Tournament int64 `json:"tournament"`
	ID         int64 `json:"id"`
	Number     int   `json:"number"`
}

var _ = action.NewKind[MoveDisplay](action.Kind{Name: "display.move", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[standsAt]]})

func (m MoveDisplay) Do(tx *action.Tx) (Display, error) {
	old, err := findDisplay(tx.DB, m.Tournament, m.ID)
	if err != nil {
		return old, err
	}
	to := old
	to.Number, to.Shows = m.Number, Programme{}
	return to, placeDisplay(tx, old, &to)
}

// placeDisplay stores a screen's table and contents.
func placeDisplay(tx *action.Tx, old Display, to *Display) error {
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
	tx.Record(action.Entry{Event: to.TournamentID, On: action.About{What: "screen", Number: to.ID},
		Is: action.Change[standsAt]{Was: old.standsAt(), Is: to.standsAt()}})
	return nil
}

// RemoveDisplay revokes a screen's pairing: it shows a code again.
type RemoveDisplay struct {
	Tournament int64 `json:"tournament"`
	ID         int64 `json:"id"`
}

var _ = action.NewKind[RemoveDisplay](action.Kind{Name: "display.remove", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[standsAt]]})

func (r RemoveDisplay) Do(tx *action.Tx) (Display, error) {
	d, err := findDisplay(tx.DB, r.Tournament, r.ID)
	if err != nil {
		return d, err
	}
	tx.Record(action.Entry{Event: r.Tournament, On: action.About{What: "screen", Number: d.ID},
		Is: action.Change[standsAt]{Was: d.standsAt()}})
	return d, tx.Delete(&d).Error
}

// Displays returns a tournament's screens by table number, those of the hall first. Only officials who may pair screens
// may call it.
func Displays(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Display, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayPairDisplay); err != nil {
		return nil, err
	}
	return store.All[Display](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number, id"))
}

// DisplayByToken returns the screen that holds a token, or NotFound.
func DisplayByToken(ctx context.Context, s *store.DB, token string) (Display, error) {
	return oneDisplay(s.Read.WithContext(ctx).Where("token_hash = ?", secret.Hash(token)))
}

// SeeDisplay records that a screen is present, at most every half minute.
func SeeDisplay(ctx context.Context, s *store.DB, d Display) error {
	now := s.Millis()
	if now-d.SeenAt < displayTouch {
		return nil
	}
	return store.Sparing(s.Write.WithContext(ctx).Model(&Display{}).Where("id = ?", d.ID).Update("seen_at", now).Error)
}

func findDisplay(db *gorm.DB, tournamentID, id int64) (Display, error) {
	return oneDisplay(db.Where("tournament_id = ? AND id = ?", tournamentID, id))
}

func oneDisplay(query *gorm.DB) (Display, error) {
	d, ok, err := store.First[Display](query)
	if err == nil && !ok {
		err = refuse.NotFound("err_display_not_found")
	}
	return d, err
}
