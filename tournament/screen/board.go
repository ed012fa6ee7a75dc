package screen

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// The boards that a screen can show to a hall. The locale key of each title is board.NAME.
const (
	BoardNames     = "names"  // where everyone sits, by name
	BoardTables    = "tables" // the seats, by table
	BoardStandings = "standings"
	BoardClock     = "clock"   // the time, the round, and what begins next
	BoardCalled    = "called"  // tables whose players are called
	BoardResults   = "results" // of the running round
	BoardCode      = "code"    // a link to the public pages, for phones
	BoardNews      = "news"    // announcements
	BoardChampion  = "champion"
	BoardText      = "text" // a typed text
	BoardTest      = "test" // a line for testing the legibility from the farthest seat
)

// Boards lists all boards in the order in which a day needs them.
var Boards = []string{BoardNames, BoardTables, BoardClock, BoardCalled, BoardStandings, BoardResults, BoardNews,
	BoardCode, BoardText, BoardChampion, BoardTest}

// The limits of a programme.
const (
	boardTextMost = 280 // characters
	PartsMost     = 6   // screens that can share a list
)

// Programme is what a screen of the hall shows: its boards, in rotation if there are several. If several screens share
// the lists of seats, it shows part Part of Parts; 0 of 0 is all.
type Programme struct {
	Boards []string `json:"boards,omitempty"`
	Text   string   `json:"text,omitempty"`
	Part   int      `json:"part,omitempty"`
	Parts  int      `json:"parts,omitempty"`
}

func (p *Programme) check() error {
	p.Text = spelling.Clean(p.Text)
	for i, board := range p.Boards {
		if !slices.Contains(Boards, board) {
			return refuse.Invalid("err_board", "board", board)
		}
		if slices.Contains(p.Boards[:i], board) {
			return refuse.Invalid("err_board_twice", "board", board)
		}
	}
	switch {
	case len(p.Boards) == 0:
		return refuse.Invalid("err_board_none")
	case utf8.RuneCountInString(p.Text) > boardTextMost:
		return refuse.Invalid("err_board_text_long", "most", boardTextMost)
	case p.Text == "" && slices.Contains(p.Boards, BoardText):
		return refuse.Invalid("err_board_text")
	case p.Parts == 0 && p.Part == 0:
		return nil
	case p.Parts < 1 || p.Parts > PartsMost || p.Part < 1 || p.Part > p.Parts:
		return refuse.Invalid("err_board_part", "most", PartsMost)
	}
	return nil
}

// phrases describes the boards.
func (p Programme) phrases() (told []action.Phrase) {
	for _, board := range p.Boards {
		told = append(told, action.Say("board."+board))
	}
	return told
}

// ShowBoards sets the boards of a screen of a tournament or, with ID 0, of every screen that shows boards already.
type ShowBoards struct {
	Tournament int64    `json:"tournament"`
	ID         int64    `json:"id" doc:"the screen's id; 0: all screens that show boards"`
	Boards     []string `json:"boards" doc:"names, tables, clock, called, standings, results, news, code, text, champion or test; several: one after the other"`
	Text       string   `json:"text,omitempty" doc:"the text of the board text; empty: unchanged"`
	Part       int      `json:"part,omitempty" doc:"part of the seat list, if screens share it"`
	Parts      int      `json:"parts,omitempty"`
}

var _ = action.NewKind[ShowBoards](action.Kind{Name: "board.show", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[standsAt]]})

func (s ShowBoards) Do(tx *action.Tx) (shown []Display, err error) {
	find := tx.Where("tournament_id = ?", s.Tournament)
	if s.ID != 0 {
		find = find.Where("id = ?", s.ID)
	} else {
		find = find.Where("number = 0")
	}
	screens, err := store.All[Display](find.Order("id"))
	if err == nil && len(screens) == 0 {
		err = refuse.NotFound("err_display_not_found")
	}
	if err != nil {
		return nil, err
	}
	for _, old := range screens {
		to := old
		to.Number, to.Settings = 0, ""
		to.Shows = Programme{Boards: s.Boards, Text: cmp.Or(s.Text, old.Shows.Text), Part: s.Part, Parts: s.Parts}
		if err := to.Shows.check(); err != nil {
			return nil, err
		}
		if err := placeDisplay(tx, old, &to); err != nil {
			return nil, err
		}
		shown = append(shown, to)
	}
	return shown, nil
}

// Fit adapts a screen of the hall to its readers. Text is as large as the farthest reader needs: the height of letters
// without ascenders is a five-hundredth of the distance. 0 stands for the usual values: 55 inches, 5 m.
type Fit struct {
	Inches int    `json:"inches,omitempty" doc:"screen diagonal"`
	Metres int    `json:"metres,omitempty" doc:"viewing distance of the farthest reader"`
	Theme  string `json:"theme,omitempty" enum:"dark,light"`
	Lang   string `json:"lang,omitempty" doc:"language of its texts, such as en; empty: the browser's"`
	Gong   bool   `json:"gong,omitempty" doc:"plays a sound when a round begins and ends"`
}

// The usual, smallest and largest diagonal of a screen and distance of its readers.
const (
	UsualInches, leastInches, mostInches = 55, 10, 500
	UsualMetres, leastMetres, mostMetres = 5, 1, 60
)

// Check rejects values outside the limits.
func (f Fit) Check() error {
	switch {
	case f.Inches != 0 && (f.Inches < leastInches || f.Inches > mostInches):
		return refuse.Invalid("err_board_inches", "least", leastInches, "most", mostInches)
	case f.Metres != 0 && (f.Metres < leastMetres || f.Metres > mostMetres):
		return refuse.Invalid("err_board_metres", "least", leastMetres, "most", mostMetres)
	case f.Theme != "" && f.Theme != "dark" && f.Theme != "light":
		return refuse.Invalid("err_board_theme", "theme", f.Theme)
	case len(f.Lang) > 20:
		return refuse.Invalid("err_board_lang", "most", 20)
	}
	return nil
}

// Phrases describes the screen and the distance.
func (f Fit) Phrases() []action.Phrase {
	return []action.Phrase{action.Say("board.fit", "inches", cmp.Or(f.Inches, UsualInches), "metres",
		cmp.Or(f.Metres, UsualMetres))}
}

// FitBoard sets the size of a screen, the distance of its readers, and its theme, language and gong.
type FitBoard struct {
	Tournament int64  `json:"tournament"`
	ID         int64  `json:"id" doc:"the screen's id"`
	Inches     int    `json:"inches" doc:"screen diagonal: 10 to 500"`
	Metres     int    `json:"metres" doc:"viewing distance of the farthest reader: 1 to 60"`
	Theme      string `json:"theme,omitempty" doc:"dark or light"`
	Lang       string `json:"lang,omitempty" maxLength:"20" doc:"language of its texts, such as en; empty: the browser's"`
	Gong       bool   `json:"gong,omitempty"`
}

var _ = action.NewKind[FitBoard](action.Kind{Name: "board.fit", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[Fit]]})

func (f FitBoard) Do(tx *action.Tx) (Display, error) {
	d, err := findDisplay(tx.DB, f.Tournament, f.ID)
	if err != nil {
		return d, err
	}
	was := d.Fit
	d.Fit = Fit{Inches: f.Inches, Metres: f.Metres, Theme: f.Theme, Lang: f.Lang, Gong: f.Gong}
	if err := d.Fit.Check(); err != nil || d.Fit == was {
		return d, err
	}
	tx.Record(action.Entry{Event: f.Tournament, On: action.About{What: "screen", Number: d.ID},
		Is: action.Change[Fit]{Was: was, Is: d.Fit}})
	return d, tx.Save(&d).Error
}

// TableCall asks the players of a table to come to it.
type TableCall struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Number       int   `gorm:"primaryKey;autoIncrement:false"`
	At           engine.Millis
}

// CallTable calls the players of a table on the boards. With Done it cancels the call, because they have come.
type CallTable struct {
	Tournament int64 `json:"tournament"`
	Number     int   `json:"number" doc:"the table's number"`
	Done       bool  `json:"done,omitempty"`
}

var _ = action.NewKind[CallTable](action.Kind{Name: "board.call", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Steps("board.call.")})

// The steps of a call, as in records.
const (
	callOn  = "on"
	callOff = "off"
)

func (c CallTable) Do(tx *action.Tx) (TableCall, error) {
	call := TableCall{c.Tournament, c.Number, tx.Now()}
	if _, err := tournament.FindTournament(tx.DB, c.Tournament); err != nil {
		return call, err
	}
	if c.Number < 1 || c.Number > DisplayNumberMost {
		return call, refuse.Invalid("err_display_number", "most", DisplayNumberMost)
	}
	_, on, err := store.First[TableCall](tx.Where("tournament_id = ? AND number = ?", c.Tournament, c.Number))
	if err != nil || c.Done != on {
		return call, err
	}
	about := action.About{Table: c.Number}
	if c.Done {
		tx.Record(action.Entry{Event: c.Tournament, On: about, Is: action.Step{Was: callOn, Is: callOff}})
		return call, tx.Delete(&call).Error
	}
	tx.Record(action.Entry{Event: c.Tournament, On: about, Is: action.Step{Was: callOff, Is: callOn}})
	return call, tx.Create(&call).Error
}

// TableCalls returns the tables of a tournament whose players are called, by number. Anyone may call it.
func TableCalls(ctx context.Context, s *store.DB, tournamentID int64) ([]TableCall, error) {
	return store.All[TableCall](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number"))
}
