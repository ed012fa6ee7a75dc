package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
)

// Seconds returns the alerts for officials on every page: open protests, and disqualifications and corrections that
// need a second official. The latter have a key, and so a sound, only if actor may confirm them.
func (s *Reader) Seconds(ctx context.Context, actor rights.Actor, tournamentID int64) ([]part.Alert, error) {
	waiting, err := result.WaitingPenalties(ctx, s.Store, tournamentID)
	may := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayRuleHeavily) == nil
	alerts := make([]part.Alert, len(waiting))
	for i, one := range waiting {
		name, waits, asks := one.Player.Name, "sanction.waits_second", "sanction.asks_you"
		if one.Kind == result.CorrectedResult {
			waits, asks = "correct.waits_second", "correct.asks_you"
			if name, err = s.GameWords(ctx, *one.GameID); err != nil {
				return nil, err
			}
		}
		second := may && !one.ProposedBy(actor)
		alerts[i] = part.Alert{Kind: "second", Text: locale.T(ctx, waits, "name", locale.Isolate(name)),
			URL: SecondPath(tournamentID, one, second)}
		if second {
			alerts[i].Key, alerts[i].Text = fmt.Sprintf("second-%d", one.ID),
				locale.T(ctx, asks, "name", locale.Isolate(name))
		}
	}
	protests, wrong := s.openProtests(ctx, actor, tournamentID)
	return append(protests, alerts...), cmp.Or(err, wrong)
}

// NewPenaltyRow returns a penalty's row.
func NewPenaltyRow(ctx context.Context, one result.Penalty) referee.PenaltyRow {
	row := referee.PenaltyRow{ID: one.ID, Player: one.PlayerID, Number: one.Player.Number, Name: one.Player.Name,
		Kind:   one.Kind,
		Points: one.Points, Rule: one.Rule, Reason: play.ReasonWords(ctx, one.Reason), Round: one.Round,
		By: ActorWords(ctx, one.Actor), At: one.At, State: one.State()}
	if d := one.Seconded; d != nil {
		row.SecondedBy, row.SecondedAt = ActorWords(ctx, d.Actor), d.At
	}
	if d := one.Cancelled; d != nil {
		row.CancelledBy, row.CancelledAt, row.Why = ActorWords(ctx, d.Actor), d.At,
			play.ReasonWords(ctx, d.Why)
	}
	return row
}

// SecondWay returns a text for an official who is about to propose an action that a second official must confirm. It
// names the officials who can confirm it, or says what to do while there is none.
func (s *Reader) SecondWay(ctx context.Context, actor rights.Actor, tournamentID int64) (string, error) {
	t, err := tournament.TournamentByID(ctx, s.Store, tournamentID)
	if err != nil {
		return "", err
	}
	second, err := account.SecondFor(ctx, s.Store, actor, tournamentID, t.OrganizationID, rights.MayRuleHeavily)
	switch {
	case err != nil:
		return "", err
	case len(second.Names) > 0:
		names := make([]string, len(second.Names))
		for i, name := range second.Names {
			names[i] = locale.Isolate(name)
		}
		return locale.T(ctx, "second.who", "names", strings.Join(names, ", ")), nil
	case second.Made != "":
		return locale.T(ctx, "second.own_hand", "maker", locale.Isolate(second.Maker), "made",
			locale.Isolate(second.Made)), nil
	}
	return locale.T(ctx, "second.nobody"), nil
}

// Protested adds the protests of an ended game, and whether the player may protest, if actor may see them.
func (s *Reader) Protested(ctx context.Context, actor rights.Actor, snap *game.Snapshot, game *play.Game) error {
	if snap.State.Phase != engine.PhaseOver || snap.Ref.Practice != "" {
		return nil
	}
	protests, err := result.ProtestsIn(ctx, s.Games, actor, snap.Ref.ID)
	if errors.Is(err, refuse.ErrForbidden) || errors.Is(err, refuse.ErrUnauthenticated) {
		return nil
	}
	if err != nil {
		return err
	}
	game.MayProtest = !protests.Closed && game.View.Seat >= 0
	for _, p := range protests.All {
		game.Protests = append(game.Protests, NewProtest(p, game.Seats, game.View.Seat))
		if p.Open() && p.Seat == game.View.Seat {
			game.MayProtest = false
		}
	}
	return nil
}

// openProtests returns alerts for a tournament's undecided protests.
func (s *Reader) openProtests(ctx context.Context, actor rights.Actor, tournamentID int64) (alerts []part.Alert,
	err error) {
	all, err := result.TournamentProtests(ctx, s.Store, actor, tournamentID)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if !p.Open() {
			continue
		}
		ref, err := game.FindRef(ctx, s.Store, p.GameID)
		if err != nil {
			return nil, err
		}
		player, err := tournament.PlayerByID(ctx, s.Store, p.PlayerID)
		if err != nil {
			return nil, err
		}
		alerts = append(alerts, part.Alert{Key: fmt.Sprintf("protest-%d", p.ID), Kind: "protest",
			URL:  templates.ProtestsPath(tournamentID),
			Text: locale.T(ctx, "alert.protest", "table", ref.TableNumber, "name", locale.Isolate(player.Name))})
	}
	return alerts, nil
}

// GameWords names a game by its round and table.
func (s *Reader) GameWords(ctx context.Context, id int64) (string, error) {
	snap, err := s.Games.Look(ctx, id)
	if err != nil {
		return "", err
	}
	place, _, err := s.Tournaments.GamePlace(ctx, snap.Ref)
	return locale.T(ctx, "results.game", "round", place.Round, "table", place.Table, "game", place.Number), err
}

// SecondPath returns the address of the page on which an official handles a proposal that needs a second official. may
// reports whether this official can be the second one.
func SecondPath(tournamentID int64, one result.Penalty, may bool) templ.SafeURL {
	switch {
	case one.Kind != result.CorrectedResult || one.GameID == nil:
		return templates.PenaltiesPath(tournamentID)
	case may:
		return templates.SecondCorrectPath(tournamentID, *one.GameID, one.ID)
	}
	return templates.ResultPath(tournamentID, *one.GameID)
}
