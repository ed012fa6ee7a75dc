package floor

import (
	"context"
	"slices"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// RevealMost is the lowest place that is revealed.
const RevealMost = 3

// Reveal is a place of an event that is over, as the organizer has told the hall who has it. It stays as it was told, whatever is
// corrected later, until it is taken back.
type Reveal struct {
	TournamentID int64   `gorm:"primaryKey;autoIncrement:false"`
	Place        int     `gorm:"primaryKey;autoIncrement:false"`
	Players      []int64 `gorm:"serializer:json"`
	At           engine.Millis

	Names []string `gorm:"-"`
}

// RevealPlace tells the hall who has a place of an event that is over: the third, the second, the champion. Nothing but this tells it
// there, and it is told whatever else of the standings everybody is shown.
type RevealPlace struct {
	Tournament int64 `json:"tournament"`
	Place      int   `json:"place" doc:"1 to 3"`
}

var _ = door.NewKind[RevealPlace](door.Kind{Name: "champion.reveal", Right: rights.MayPublishRound, Changes: []door.What{door.TopicScreens},
	Details: door.Keep[revealed]})

// revealed is what a record keeps of a place that was told.
type revealed struct {
	Place   int      `json:"place"`
	Players []string `json:"players"`
}

// Before says nothing: nobody knew.
func (revealed) Before() []door.Phrase { return nil }

// After says who has the place.
func (r revealed) After() (told []door.Phrase) {
	for _, name := range r.Players {
		told = append(told, door.Say("board.revealed", "place", r.Place, "name", name))
	}
	return told
}

func (r RevealPlace) Do(tx *door.Tx) (Reveal, error) {
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
	standings, err := tournament.StandingsOf(tx.Statement.Context, tx.Desk.DB, r.Tournament) // an event that is over stands still
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
	old, ok, err := storage.First[Reveal](tx.Where("tournament_id = ? AND place = ?", r.Tournament, r.Place))
	if err != nil || ok && slices.Equal(old.Players, told.Players) {
		return told, err
	}
	tx.Record(door.Entry{Event: r.Tournament, Is: revealed{r.Place, told.Names}})
	return told, tx.Save(&told).Error
}

// TakeRevealsBack lets the hall know nothing of the places again, before it is told once more.
type TakeRevealsBack struct {
	Tournament int64 `json:"tournament"`
}

var _ = door.NewKind[TakeRevealsBack](door.Kind{Name: "champion.hide", Right: rights.MayPublishRound, Changes: []door.What{door.TopicScreens},
	Details: door.Steps("board.champion.")})

func (h TakeRevealsBack) Do(tx *door.Tx) (int, error) {
	if _, err := tournament.FindTournament(tx.DB, h.Tournament); err != nil {
		return 0, err
	}
	told, err := storage.All[Reveal](tx.Where("tournament_id = ?", h.Tournament))
	if err != nil || len(told) == 0 {
		return 0, err
	}
	tx.Record(door.Entry{Event: h.Tournament, Is: door.Step{Was: "told", Is: "hidden"}})
	return len(told), tx.Where("tournament_id = ?", h.Tournament).Delete(&Reveal{}).Error
}

// Reveals are the places of an event that were told, the champion first, with the names as they are written now; for everybody.
func Reveals(ctx context.Context, s *storage.DB, event int64) ([]Reveal, error) {
	told, err := storage.All[Reveal](s.Read.WithContext(ctx).Where("tournament_id = ?", event).Order("place"))
	if err != nil || len(told) == 0 {
		return nil, err
	}
	players, err := tournament.Players(ctx, s, event)
	names := storage.MapOf(players, func(p tournament.Player) (int64, string) { return p.ID, p.Name })
	for i, r := range told {
		for _, id := range r.Players {
			told[i].Names = append(told[i].Names, names[id])
		}
	}
	return told, err
}

// Featured is the table that an event's stream shows.
type Featured struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Number       int
}

// TableName is the table of these rows.
func (Featured) TableName() string { return "featured_tables" }

// FeatureTable chooses the table that an event's stream shows, in whatever round.
type FeatureTable struct {
	Tournament int64 `json:"tournament"`
	Number     int   `json:"number" doc:"of the table"`
}

var _ = door.NewKind[FeatureTable](door.Kind{Name: "stream.feature", Right: rights.MayPairDisplay, Changes: []door.What{door.TopicScreens},
	Details: door.Keep[door.Change[standsAt]]})

func (f FeatureTable) Do(tx *door.Tx) (Featured, error) {
	to := Featured{f.Tournament, f.Number}
	if _, err := tournament.FindTournament(tx.DB, f.Tournament); err != nil {
		return to, err
	}
	if f.Number < 1 || f.Number > DisplayNumberMost {
		return to, refuse.Invalid("err_display_number", "most", DisplayNumberMost)
	}
	was, _, err := storage.First[Featured](tx.Where("tournament_id = ?", f.Tournament))
	if err != nil || was.Number == f.Number {
		return to, err
	}
	tx.Record(door.Entry{Event: f.Tournament, Is: door.Change[standsAt]{Was: standsAt{Table: was.Number}, Is: standsAt{Table: f.Number}}})
	return to, tx.Save(&to).Error
}

// FeaturedTable is the number of the table that an event's stream shows: the first until one is chosen.
func FeaturedTable(ctx context.Context, s *storage.DB, event int64) (int, error) {
	f, ok, err := storage.First[Featured](s.Read.WithContext(ctx).Where("tournament_id = ?", event))
	if err != nil || !ok {
		return 1, err
	}
	return f.Number, nil
}
