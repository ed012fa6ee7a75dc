package web

import (
	"context"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// openPractice opens a practice table for somebody at an address, and lets its bots play. The person's name and
// the table's are in the language of the context.
func (s *shell) openPractice(ctx context.Context, address, strength string, rules engine.Ruleset) (string, rights.Actor, error) {
	if _, err := styleOf(strength); err != nil {
		return "", rights.Actor{}, err
	}
	if err := s.starts.Spend("address " + address); err != nil {
		return "", rights.Actor{}, err
	}
	at, err := tournament.Do(ctx, s.desk, rights.Public(), tournament.OpenPractice{Strength: strength, Rules: rules,
		Name: templates.T(ctx, "practice.title"), Person: templates.T(ctx, "seat.you"), Bots: botNames})
	if err == nil {
		s.practice.play(at.Game)
	}
	return at.Token, at.Me, err
}

// rehearse makes the copy of an event for bots to play, in place of an older one that is over.
func (s *shell) rehearse(ctx context.Context, actor rights.Actor, event int64, by string) (tournament.Tournament, error) {
	t, err := tournament.TournamentByID(ctx, s.venue.store, event)
	if err != nil {
		return t, err
	}
	return tournament.Do(ctx, s.desk, actor, tournament.Rehearse{Tournament: event, Name: templates.T(ctx, "rehearsal.name", "name", t.Name), By: by})
}

// hint finds what the player who asks could lay, with the way to it.
func (s *shell) hint(c *gin.Context) (templates.Hint, error) {
	game, err := gameParam(c)
	if err != nil {
		return templates.Hint{}, err
	}
	h, err := s.venue.games.Hint(c.Request.Context(), s.player(c), game)
	if err != nil {
		return templates.Hint{}, err
	}
	return newHint(h), nil
}

func newHint(h tournament.Hint) templates.Hint {
	hint := templates.Hint{Turn: h.Turn, Tiles: h.Tiles, Opens: h.Opens, Points: h.Points, Proven: h.Proven, Pool: h.Pool, Played: h.Played}
	if h.Tiles > 0 {
		after := h.After.Faces()
		hint.Steps = solve.Steps(h.Before.Faces(), after)
		for i, laid := range h.After {
			hint.Table = append(hint.Table, engine.LaidFaces{At: laid.At, Faces: after[i]})
		}
	}
	return hint
}
