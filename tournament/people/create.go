package people

import (
	"cmp"
	"context"
	"unicode/utf8"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/organization"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
)

// CreateTournament creates a tournament, together with the players of a roster file if given. It stores its own copies
// of the format and the rules.
type CreateTournament struct {
	Name   string          `json:"name"`
	Place  string          `json:"place,omitempty"`
	Format format.Format   `json:"format"`
	Rules  ruleset.Ruleset `json:"rules"`
	Tiles  string          `json:"tiles,omitempty"` // DigitalTiles or RealTiles; empty: digital
	Roster string          `json:"roster,omitempty"`
	tournament.Details

	roster rosterfile.Roster
}

var _ = action.NewKind[CreateTournament](action.Kind{Name: "tournament.create", Right: rights.MayCreateTournament,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[tournament.Created]})

func (n CreateTournament) Plan(ctx context.Context, _ *action.Desk, _ rights.Actor) (_ action.Action, err error) {
	if n.Roster != "" {
		n.roster, err = rosterfile.Parse(ctx, n.Roster, rosterfile.How{})
	}
	return n, err
}

func (n CreateTournament) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := n.New()
	if err != nil {
		return tournament.Tournament{}, err
	}
	t.CreatedAt, t.OrganizationID = tx.Now(), tx.Actor.Organization
	if err := organization.RoomForEvent(tx.DB, t.OrganizationID); err != nil {
		return t, err
	}
	if err := tx.Create(&t).Error; err != nil {
		return t, err
	}
	tx.Made(t.ID)
	tx.Record(action.Entry{Event: t.ID, On: t.About(), Is: tournament.Created{Format: n.Format.Name,
		FormatVersion: n.Format.Version, Rules: n.Rules.Name, RulesVersion: n.Rules.Version}})
	if n.Roster == "" {
		return t, nil
	}
	if err := tx.Authorize(rights.Place{Tournament: t.ID, Seat: -1}, rights.MayEditRoster); err != nil {
		return t, err
	}
	return t, enterRoster(tx, t.ID, n.roster)
}

// New returns the validated tournament without storing it.
func (n CreateTournament) New() (tournament.Tournament, error) {
	details, err := n.Details.Cleaned()
	if err != nil {
		return tournament.Tournament{}, err
	}
	details.TimeZone = cmp.Or(details.TimeZone, tournament.ServerZone())
	t := tournament.Tournament{Name: spelling.Clean(n.Name), Place: spelling.Clean(n.Place),
		Status: tournament.StatusDraft, Details: details,
		Tiles: cmp.Or(n.Tiles, tournament.DigitalTiles)}
	if t.Tiles != tournament.DigitalTiles && t.Tiles != tournament.RealTiles {
		return tournament.Tournament{}, refuse.Invalid("err_tiles", "tiles", t.Tiles)
	}
	if t.Name == "" || utf8.RuneCountInString(t.Name) > tournament.TournamentNameMost ||
		utf8.RuneCountInString(t.Place) > tournament.TournamentNameMost {
		return tournament.Tournament{}, refuse.Invalid("err_tournament_name", "most", tournament.TournamentNameMost)
	}
	if err := n.Format.Validate(); err != nil {
		return tournament.Tournament{}, preset.AsRefusal(err)
	}
	if err := n.Rules.Validate(); err != nil {
		return tournament.Tournament{}, preset.AsRefusal(err)
	}
	if err := tournament.CheckRules(n.Format, n.Rules); err != nil {
		return tournament.Tournament{}, err
	}
	if err := t.Keep(n.Format, n.Rules); err != nil {
		return tournament.Tournament{}, err
	}
	return t, nil
}
