package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

// preparedStart is what a game's start takes from its event, round and table. Every game of a hall asks for it at once,
// so it is read in two statements.
type preparedStart struct {
	tournament Tournament // with its format and rules alone
	sameDeal   bool       // all tables of the round get the same deal
	physical   bool       // with real tiles: as the table's first game, or as is set for it
	extra      []int      // seconds more by seat, nil when nobody has any
}

func readStart(ctx context.Context, s *Store, ref GameRef) (p preparedStart, err error) {
	p.tournament.ID = ref.TournamentID
	err = s.readSQL.QueryRowContext(ctx, `
		SELECT e.format, e.rules, r.duplicate, coalesce(
			(SELECT coalesce(json_extract(v.data, '$.physical'), 0) FROM games f JOIN game_events v ON v.game_id = f.id AND v.seq = 1
				WHERE f.table_id = t.id AND f.number = 1),
			CASE t.tiles WHEN '' THEN e.tiles ELSE t.tiles END = ?)
		FROM tables t JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = r.tournament_id
		WHERE t.id = ? AND e.removed_at = 0`, RealTiles, ref.TableID).
		Scan(&p.tournament.FormatJSON, &p.tournament.RulesJSON, &p.sameDeal, &p.physical)
	if errors.Is(err, sql.ErrNoRows) {
		return p, refuse.NotFound("err_tournament_not_found", "id", ref.TournamentID)
	}
	if err != nil {
		return p, fmt.Errorf("prepare game %d: %w", ref.ID, err)
	}
	extra, err := s.ids(ctx, `SELECT p.extra_seconds FROM seats e JOIN players p ON p.id = e.player_id WHERE e.table_id = ? ORDER BY e.seat`, ref.TableID)
	if slices.ContainsFunc(extra, func(seconds int64) bool { return seconds > 0 }) {
		for _, seconds := range extra {
			p.extra = append(p.extra, int(seconds))
		}
	}
	return p, err
}

// stageRules are the rules that were read last: the games of a round all begin with the same ones.
type stageRules struct {
	mu            sync.Mutex
	format, rules string // as the event has them
	stage         int
	read          engine.Ruleset
}

func (k *stageRules) of(t Tournament, stage int) (engine.Ruleset, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.rules != "" && k.rules == t.RulesJSON && k.format == t.FormatJSON && k.stage == stage {
		return k.read, nil
	}
	rules, err := t.RulesAt(stage)
	if err == nil {
		k.format, k.rules, k.stage, k.read = t.FormatJSON, t.RulesJSON, stage, rules
	}
	return rules, err
}

// someOut tells whether somebody at a table has gone or may be disqualified. It is seldom so, and who and why is asked only then.
func someOut(ctx context.Context, s *Store, table int64) (out bool, err error) {
	err = s.readSQL.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seats e JOIN players p ON p.id = e.player_id WHERE e.table_id = ?
		AND (p.gone <> 0 OR EXISTS (SELECT 1 FROM sanctions d WHERE d.tournament_id = p.tournament_id AND d.player_id = p.id AND d.kind = ?)))`,
		table, Disqualification).Scan(&out)
	return out, err
}
