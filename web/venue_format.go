package web

import (
	"context"
	"strconv"
	"strings"

	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/rights"
)

// formatNamed is a preset, or an organizer's own format by own-ID.
func (s *venue) formatNamed(ctx context.Context, actor rights.Actor, name string) (format.Format, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(name, ownPrefix), 10, 64)
	if !strings.HasPrefix(name, ownPrefix) || err != nil {
		return s.presets.Format(name)
	}
	own, err := tournament.FindOwnFormat(ctx, s.store, actor, id)
	if err != nil {
		return format.Format{}, err
	}
	return own.Format()
}

// ownPrefix marks an organizer's own format among the choices for an event.
const ownPrefix = "own-"
