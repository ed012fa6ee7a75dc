package game

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestTailsAreReadByTheirKeys checks that the tails of several games are read by key, whatever statistics the server
// has when it plans the query, and that each game gets its own tail.
func TestTailsAreReadByTheirKeys(t *testing.T) {
	ctx := t.Context()
	s, err := store.OpenNode(storetest.Server(t, storetest.Fresh))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	games := storetest.Hall(t, s, 3, 1)
	l := OpenLog(s)
	defer l.Close()
	for _, game := range games {
		head := ""
		for seq := 0; seq < 6; seq += 2 {
			if err := l.Append(ctx, game, seq, &head, called(0), by("a", ""), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	tails, err := l.Tails(ctx, map[int64]int{games[0]: 2, games[2]: 5})
	if err != nil || len(tails) != 2 || len(tails[games[0]]) != 4 || tails[games[0]][0].Seq != 3 ||
		len(tails[games[2]]) != 1 || tails[games[2]][0].Event != engine.Event(called(0)[1]) {
		t.Errorf("the tails are %+v, %v", tails, err)
	}
	conn, err := s.ReadSQL.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, statement := range []string{`SET plan_cache_mode = force_generic_plan`, `PREPARE tails (text, text) AS ` +
		selectTails} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	var plan []string
	if err := store.EachRow(context.WithoutCancel(ctx), conn, func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		plan = append(plan, line)
		return err
	}, `EXPLAIN EXECUTE tails ('1 2', '0 0')`); err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(plan, "\n"); strings.Contains(said, "Seq Scan on game_events") ||
		!strings.Contains(said, "game_events") {
		t.Errorf("the tails are read so:\n%s", said)
	}
}
