package web

import (
	"context"
	"strings"

	"meldhall/templates"
	"meldhall/tournament"
)

func (s *venue) regulations(ctx context.Context, event int64) ([]templates.Chapter, error) {
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return nil, err
	}
	rules, err := t.Rules()
	if err != nil {
		return nil, err
	}
	return templates.Regulations(ctx, rules)
}

func question(text string) string {
	runes := []rune(strings.TrimSpace(text))
	return string(runes[:min(len(runes), questionMost)])
}

// questionMost bounds what is searched for.
const questionMost = 200
