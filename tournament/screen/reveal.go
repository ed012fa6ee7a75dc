package screen

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// RevealMost is the lowest place that is revealed.
const RevealMost = 3

// Reveal is a place of a finished tournament whose holder the organizer has revealed to the hall. It stays as revealed,
// regardless of later corrections, until it is taken back.
type Reveal struct {
	TournamentID int64   `gorm:"primaryKey;autoIncrement:false"`
	Place        int     `gorm:"primaryKey;autoIncrement:false"`
	Players      []int64 `gorm:"serializer:json"`
	At           engine.Millis

	Names []string `gorm:"-"`
}

// RevealPlace reveals to the hall who has a place in a finished tournament: the third, the second, the champion. Only
// this action reveals it there, regardless of which standings are public.
type RevealPlace struct {
	Tournament int64 `json:"tournament"`
	Place      int   `json:"place" doc:"1 to 3"`
}

var _ = action.NewKind[RevealPlace](action.Kind{Name: "champion.reveal", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[revealed]})

// revealed is the record of a revealed place.
type revealed struct {
	Place   int      `json:"place"`
	Players []string `json:"players"`
}

// Before returns nothing, since the place had not been revealed.
func (revealed) Before() []action.Phrase { return nil }

// After returns the holders of the place.
func (r revealed) After() (told []action.Phrase) {
	for _, name := range r.Players {
		told = append(told, action.Say("board.revealed", "place", r.Place, "name", name))
	}
	return told
}

func (r RevealPlace) Do(tx *action.Tx) (Reveal, error) {
	told := Reveal{TournamentID: r.Tournament, Place: r.Place, At: tx.Now()}
	t, err := tournament.FindTournament(tx.DB, r.Tournament)
	if err != nil {
		return told, err
	}
	if r.Place < 1 || r.Place > RevealMost {
		return told, refuse.Invalid("err_reveal_place", "most", RevealMost)
	}
	if t.Status != tournament.StatusFinished {
		return told, refuse.Conflict("err_reveal_early")
	}
	// the standings of a finished tournament no longer change
	standings, err := ranking.StandingsOf(tx.Statement.Context, tx.Desk.DB, r.Tournament)
	if err != nil {
		return told, err
	}
	for _, row := range standings.Rows {
		if row.Place == r.Place && row.Games > 0 && !row.Disqualified {
			told.Players, told.Names = append(told.Players, row.Player), append(told.Names, row.Name)
		}
	}
	if len(told.Players) == 0 {
		return told, refuse.Conflict("err_reveal_nobody", "place", r.Place)
	}
	old, ok, err := store.First[Reveal](tx.Where("tournament_id = ? AND place = ?", r.Tournament, r.Place))
	if err != nil || ok && slices.Equal(old.Players, told.Players) {
		return told, err
	}
	tx.Record(action.Entry{Event: r.Tournament, Is: revealed{r.Place, told.Names}})
	return told, tx.Save(&told).Error
}

// TakeRevealsBack hides all revealed places from the hall again.
type TakeRevealsBack struct {
	Tournament int64 `json:"tournament"`
}

var _ = action.NewKind[TakeRevealsBack](action.Kind{Name: "champion.hide", Right: rights.MayPublishRound,
	Changes: []action.What{action.TopicScreens},
	Details: action.Steps("board.champion.")})

func (h TakeRevealsBack) Do(tx *action.Tx) (int, error) {
	if _, err := tournament.FindTournament(tx.DB, h.Tournament); err != nil {
		return 0, err
	}
	told, err := store.All[Reveal](tx.Where("tournament_id = ?", h.Tournament))
	if err != nil || len(told) == 0 {
		return 0, err
	}
	tx.Record(action.Entry{Event: h.Tournament, Is: action.Step{Was: "told", Is: "hidden"}})
	return len(told), tx.Where("tournament_id = ?", h.Tournament).Delete(&Reveal{}).Error
}

// Reveals returns the revealed places of a tournament, the champion first, with the present spelling of the names.
// Anyone may call it.
func Reveals(ctx context.Context, s *store.DB, tournamentID int64) ([]Reveal, error) {
	told, err := store.All[Reveal](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("place"))
	if err != nil || len(told) == 0 {
		return nil, err
	}
	players, err := tournament.Players(ctx, s, tournamentID)
	names := store.MapOf(players, func(p tournament.Player) (int64, string) { return p.ID, p.Name })
	for i, r := range told {
		for _, id := range r.Players {
			told[i].Names = append(told[i].Names, names[id])
		}
	}
	return told, err
}
