package screen

import (
	"cmp"
	"context"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Featured is the table that a tournament's stream shows, and how its overlays look. Number 0 means that no table has
// been chosen.
type Featured struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Number       int
	Look         StreamLook `gorm:"serializer:json"`
}

// TableName returns the database table of featured tables.
func (Featured) TableName() string { return "featured_tables" }

// FeatureTable chooses the table that a tournament's stream shows, in every round.
type FeatureTable struct {
	Tournament int64 `json:"tournament"`
	Number     int   `json:"number" doc:"the table's number"`
}

var _ = action.NewKind[FeatureTable](action.Kind{Name: "stream.feature", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[standsAt]]})

func (f FeatureTable) Do(tx *action.Tx) (Featured, error) {
	to := Featured{TournamentID: f.Tournament, Number: f.Number}
	if _, err := tournament.FindTournament(tx.DB, f.Tournament); err != nil {
		return to, err
	}
	if f.Number < 1 || f.Number > DisplayNumberMost {
		return to, refuse.Invalid("err_display_number", "most", DisplayNumberMost)
	}
	was, _, err := store.First[Featured](tx.Where("tournament_id = ?", f.Tournament))
	if err != nil || was.Number == f.Number {
		return to, err
	}
	to.Look = was.Look
	tx.Record(action.Entry{Event: f.Tournament, Is: action.Change[standsAt]{Was: standsAt{Table: was.Number},
		Is: standsAt{Table: f.Number}}})
	return to, tx.Save(&to).Error
}

// FeaturedTable returns the number of the table that a tournament's stream shows: the first one until one is chosen.
func FeaturedTable(ctx context.Context, s *store.DB, tournamentID int64) (int, error) {
	f, err := FeaturedOf(ctx, s, tournamentID)
	return f.Number, err
}

// FeaturedOf returns the table that a tournament's stream shows, with Number 1 until one is chosen, and the look of its
// overlays. Anyone may call it.
func FeaturedOf(ctx context.Context, s *store.DB, tournamentID int64) (Featured, error) {
	f, _, err := store.First[Featured](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID))
	f.TournamentID, f.Number = tournamentID, max(f.Number, 1)
	return f, err
}

// The sizes in percent, positions and colours of overlays. The first of each is the default.
var (
	StreamSizes   = []int{100, 75, 125, 150}
	StreamPlaces  = []string{"usual", "top-left", "top-right", "bottom-left", "bottom-right"}
	StreamColours = []string{"standard", "event"}
)

// StreamLook is how the overlays of a stream look. A zero value stands for the default. The overlay of the table fills
// the picture in every position.
type StreamLook struct {
	Size    int    `json:"size,omitempty" doc:"percent: 75, 100, 125 or 150"`
	Place   string `json:"place,omitempty" doc:"usual, top-left, top-right, bottom-left or bottom-right"`
	Colours string `json:"colours,omitempty" doc:"standard or event, with the event's own colour"`
	Logo    bool   `json:"logo,omitempty" doc:"shows the event's logo"`
}

// Usual returns the look with every default filled in.
func (l StreamLook) Usual() StreamLook {
	return StreamLook{cmp.Or(l.Size, StreamSizes[0]), cmp.Or(l.Place, StreamPlaces[0]),
		cmp.Or(l.Colours, StreamColours[0]), l.Logo}
}

func (l StreamLook) check() error {
	switch l = l.Usual(); {
	case !slices.Contains(StreamSizes, l.Size):
		return refuse.Invalid("err_stream_look", "field", "size", "value", l.Size)
	case !slices.Contains(StreamPlaces, l.Place):
		return refuse.Invalid("err_stream_look", "field", "place", "value", l.Place)
	case !slices.Contains(StreamColours, l.Colours):
		return refuse.Invalid("err_stream_look", "field", "colours", "value", l.Colours)
	}
	return nil
}

// Phrases describes the look.
func (l StreamLook) Phrases() []action.Phrase {
	l = l.Usual()
	told := []action.Phrase{action.Say("overlay.percent", "n", l.Size), action.Say("overlay.place." + l.Place),
		action.Say("overlay.colours." + l.Colours)}
	if l.Logo {
		told = append(told, action.Say("overlay.logo"))
	}
	return told
}

// LookStream sets how the overlays of a tournament's stream look.
type LookStream struct {
	Tournament int64  `json:"tournament"`
	Size       int    `json:"size,omitempty" doc:"percent: 75, 100, 125 or 150"`
	Place      string `json:"place,omitempty" doc:"usual, top-left, top-right, bottom-left or bottom-right"`
	Colours    string `json:"colours,omitempty" doc:"standard or event"`
	Logo       bool   `json:"logo,omitempty" doc:"shows the event's logo"`
}

var _ = action.NewKind[LookStream](action.Kind{Name: "stream.look", Right: rights.MayPairDisplay,
	Changes: []action.What{action.TopicScreens},
	Details: action.Keep[action.Change[StreamLook]]})

func (l LookStream) Do(tx *action.Tx) (Featured, error) {
	look := StreamLook{l.Size, l.Place, l.Colours, l.Logo}
	to := Featured{TournamentID: l.Tournament, Look: look.Usual()}
	if _, err := tournament.FindTournament(tx.DB, l.Tournament); err != nil {
		return to, err
	}
	if err := look.check(); err != nil {
		return to, err
	}
	was, _, err := store.First[Featured](tx.Where("tournament_id = ?", l.Tournament))
	to.Number = was.Number
	if err != nil || was.Look.Usual() == to.Look {
		return to, err
	}
	tx.Record(action.Entry{Event: l.Tournament, Is: action.Change[StreamLook]{Was: was.Look.Usual(), Is: to.Look}})
	return to, tx.Save(&to).Error
}
