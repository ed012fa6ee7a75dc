package desk

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine/score"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/web/page"
	"meldhall/web/view"
)

// personPage shows one player to the organizer.
func (s *Pages) personPage(c *gin.Context) error {
	id := page.ID(c, "player")
	t, players, err := s.eventPlayers(c)
	if err != nil {
		return err
	}
	ctx, tournamentID := s.Page.Request.Language(c), t.ID
	absent, err := tournament.Absent(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	shown := desk.PlayerView{ID: tournamentID}
	for _, p := range players {
		if p.ID == id {
			shown.Player, shown.Email = view.NewRosterPlayer(p), p.Email
			shown.Player.Playing = !absent[id]
		} else if p.State == tournament.StateWaiting {
			shown.Waiting = append(shown.Waiting, view.NewRosterPlayer(p))
		}
	}
	if shown.Player.ID == 0 {
		return refuse.NotFound("err_player_not_found")
	}
	if err := s.views.addPlace(ctx, &shown, tournamentID, id); err != nil {
		return err
	}
	shown.Acts = personActs(ctx, shown.Player, shown.Seat != "", shown.StandIn != "")
	shown.Page = s.Page.NewPage(c, shown.Player.Name, &t)
	return s.Page.Show(c, http.StatusOK, desk.PersonPage(shown))
}

// addPlace adds the player's seat, stand-in and missed rounds.
func (s *views) addPlace(ctx context.Context, view *desk.PlayerView, tournamentID, player int64) error {
	rounds, err := draw.Rounds(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	if n := len(rounds); n > 0 && rounds[n-1].Status != tournament.RoundFinished {
		view.Plays = rounds[n-1].Status == tournament.RoundRunning
		tables, err := tournament.Tables(ctx, s.View.Store, rounds[n-1].ID)
		if err != nil {
			return err
		}
		for _, t := range tables {
			for _, seat := range t.Seats {
				if seat.PlayerID == player {
					view.Seat = locale.T(ctx, "people.sits_at", "round", rounds[n-1].Number, "table", t.Number,
						"seat", seat.Seat+1)
				}
			}
		}
	}
	missed, err := people.Missed(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	for _, m := range missed {
		if m.PlayerID == player {
			view.Missed = append(view.Missed, desk.MissedLine{Round: m.Round,
				Points: int(m.Charge / score.Whole(1)), Text: missedText(ctx, m)})
		}
	}
	standIns, err := people.StandIns(ctx, s.View.Store, tournamentID)
	for _, in := range standIns { // ordered; the last one applies
		if in.PlayerID == player {
			view.StandIn = in.Name
		}
	}
	return err
}

// missedText describes why a round was missed and what it costs.
func missedText(ctx context.Context, m tournament.MissedRound) string {
	key := "people.missed." + m.Reason
	if m.Charge == 0 {
		key += ".none"
	}
	return locale.T(ctx, key, "round", m.Round, "points", locale.AmountText(ctx, m.Charge))
}

// personActs returns the possible actions on a player in the current state. sits reports whether the player has a seat
// in the current round, replaced whether a stand-in plays.
func personActs(ctx context.Context, p desk.RosterPlayer, sits, replaced bool) []desk.PersonAct {
	var kinds []string
	switch p.State {
	case tournament.StateWaiting:
		kinds = []string{tournament.PeopleMoveUp, tournament.PeopleLeave}
	case tournament.StateRegistered:
		kinds = []string{tournament.PeopleCheckIn, tournament.PeopleNoShow, tournament.PeopleLeave}
	case tournament.StateCheckedIn:
		kinds = []string{tournament.PeopleCheckOut, tournament.PeopleNoShow, tournament.PeopleLeave}
	default:
		kinds = []string{tournament.PeopleBack}
	}
	if replaced {
		kinds = append(kinds, tournament.PeopleReturn)
	}
	var acts []desk.PersonAct
	for _, kind := range kinds {
		if kind == tournament.PeopleLeave && sits {
			acts = append(acts, desk.PersonAct{Kind: kind, Text: locale.T(ctx, "people.leave.after")},
				desk.PersonAct{Kind: kind, Text: locale.T(ctx, "people.leave.now"), Now: true})
			continue
		}
		acts = append(acts, desk.PersonAct{Kind: kind, Text: locale.T(ctx, "people.do."+kind)})
	}
	return acts
}
