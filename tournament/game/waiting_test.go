package game

import (
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/storage/storagetest"
)

// Games of an event that was removed, of an organization that is being deleted, and of a round that nobody has started wait on, and keep the
// others from nothing; of those at a table only the first begins.
func TestGamesThatMustNotStartWaitOn(t *testing.T) {
	s := newStore(t)
	if err := s.Write.Exec(`INSERT INTO organizations (slug, name, created_at, deleting) VALUES ('o', 'O', 1, 1)`).Error; err != nil {
		t.Fatal(err)
	}
	const newest = ` = (SELECT max(id) FROM tournaments)`
	for _, waits := range []string{
		`UPDATE tournaments SET removed_at = 5 WHERE id` + newest,
		`UPDATE tournaments SET organization_id = (SELECT id FROM organizations) WHERE id` + newest,
		`UPDATE rounds SET started_at = 0 WHERE tournament_id` + newest,
	} {
		storagetest.Hall(t, s, 1, 2)
		if err := s.Write.Exec(waits).Error; err != nil {
			t.Fatal(err)
		}
	}
	games := storagetest.Hall(t, s, 2, 2)
	g := runner(t, s)
	begin(t, g)
	running, err := s.IDs(t.Context(), `SELECT id FROM games WHERE status = 'running' ORDER BY id`)
	if err != nil || !slices.Equal(running, []int64{games[0], games[2]}) {
		t.Errorf("games %v have begun, %v, want %v", running, err, []int64{games[0], games[2]})
	}
	if phase := look(t, g, games[1]).State.Phase; phase != engine.PhaseNew {
		t.Errorf("the second game at a table is %s", phase)
	}
}
