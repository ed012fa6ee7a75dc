package sequencer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"meldhall/engine/shuffle"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
	"meldhall/tournament/transparency"
)

// hall is a served database with one running tournament.
type hall struct {
	t     testing.TB
	db    *store.DB
	games []int64
	event int64
}

func served(t testing.TB, path string) *store.DB {
	t.Helper()
	db, err := store.OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func newHall(t testing.TB) *hall {
	t.Helper()
	h := &hall{t: t, db: served(t, storetest.At(t)), event: 1}
	h.games = storetest.Hall(t, h.db, 2, 2)
	return h
}

// hash returns a hash for a test.
func hash(of ...any) string { return store.Link(of...) }

func (h *hall) exec(query string, args ...any) {
	h.t.Helper()
	if _, err := h.db.WriteSQL.Exec(query, args...); err != nil {
		h.t.Fatalf("%s: %v", query, err)
	}
}

// record writes a record.
func (h *hall) record(at int) {
	h.t.Helper()
	h.exec(`INSERT INTO audit (at, tournament_id, actor, action, subject, before, after, why, chain)
		VALUES ($1, $2, 'a', 'b', '', '', '', '', $3)`, at, h.event, hash("record", at))
}

// happens appends an event to the log of a game.
func (h *hall) happens(game int64, seq int, kind string, at int) {
	h.t.Helper()
	h.exec(`UPDATE games SET status = 'running' WHERE id = $1 AND status = 'waiting'`, game)
	h.exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at, chain)
		VALUES ($1, $2, $3, 1, $4, 'a', $5, $6)`, game, seq, kind,
		fmt.Sprintf(`{"commitment":%q}`, hash("deal", game, seq)), at, hash("event", game, seq))
}

func (h *hall) finish(game int64, seq int) {
	h.t.Helper()
	h.exec(`UPDATE games SET status = 'finished', head = $1 WHERE id = $2`, hash("event", game, seq), game)
}

func (h *hall) step(s *Sequencer) int {
	h.t.Helper()
	n, err := s.Step(h.t.Context(), h.event)
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// leaves returns the leaves of the log as texts, with short hashes.
func (h *hall) leaves(s *Sequencer) (texts []string) {
	h.t.Helper()
	c, err := s.Checkpoint(h.t.Context(), h.event)
	if err != nil {
		h.t.Fatal(err)
	}
	leaves, err := s.Leaves(h.t.Context(), h.event, 0, c.Size)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, l := range leaves {
		texts = append(texts, strings.TrimSuffix(l.String(), " "+l.Hash))
	}
	return texts
}

// checkAll checks that every checkpoint of the log continues the one before it.
func (h *hall) checkAll(s *Sequencer) {
	h.t.Helper()
	vkey, err := s.Key(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	key, err := note.NewVerifier(vkey)
	if err != nil {
		h.t.Fatal(err)
	}
	tree, err := s.Tree(h.t.Context(), h.event)
	if err != nil {
		h.t.Fatal(err)
	}
	rows, err := store.All[checkpointRow](h.db.Read.Order("log_id, size"))
	if err != nil {
		h.t.Fatal(err)
	}
	var last transparency.Checkpoint
	for _, r := range rows {
		c, err := transparency.OpenCheckpoint(r.Note, key)
		if err != nil {
			h.t.Fatal(err)
		}
		if last.Origin == c.Origin {
			proof, err := tree.Consistency(last.N, c.N)
			if err = errors.Join(err, c.Continues(last, proof)); err != nil {
				h.t.Error(err)
			}
		}
		last = c
	}
	if last.N != tree.Size() {
		h.t.Errorf("the last checkpoint is of %d leaves, the tree has %d", last.N, tree.Size())
	}
}

// TestStep checks that each fact gets one leaf, in the order of their times, whatever happens between the steps.
func TestStep(t *testing.T) {
	h := newHall(t)
	s := New(h.db)
	h.record(10)
	h.happens(h.games[0], 1, "game_started", 20)
	h.happens(h.games[0], 2, dealEvent, 21)
	h.record(30)
	h.exec(`INSERT INTO audit (at, tournament_id, actor, action, subject, before, after, why, chain)
		VALUES (31, 1, 'a', $1, '', '', '', '', 'x')`, store.ExportAction)
	if n := h.step(s); n != 3 {
		t.Errorf("%d leaves", n)
	}
	if n := h.step(s); n != 0 {
		t.Errorf("%d leaves without a new fact", n)
	}
	h.happens(h.games[0], 3, "penalty_given", 40)
	h.step(s)
	h.record(41)
	h.happens(h.games[0], 4, "game_ended", 42)
	h.finish(h.games[0], 4)
	h.step(New(h.db)) // without the tree in memory
	want := []string{"record 1", "deal 1 2", "record 2", "ruling 1 3", "record 3", "game 1 4"}
	if got := h.leaves(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	h.checkAll(s)
	h.checkAll(New(h.db))
}

// TestNoLog checks that practice tables, rehearsals and programs that do not serve the database have no log.
func TestNoLog(t *testing.T) {
	h := newHall(t)
	h.record(10)
	for _, change := range []string{"practice = 'x'", "practice = '', rehearses = 7", "rehearses = 0, removed_at = 1"} {
		h.exec("UPDATE tournaments SET " + change)
		if n := h.step(New(h.db)); n != 0 {
			t.Errorf("%s: %d leaves", change, n)
		}
	}
	h.exec("UPDATE tournaments SET removed_at = 0")
	if storetest.OnServer() {
		return
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if _, err := h.db.WriteSQL.Exec("VACUUM INTO $1", path); err != nil {
		t.Fatal(err)
	}
	other, err := store.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if n, err := New(other).Step(t.Context(), 1); n != 0 || err != nil {
		t.Errorf("beside the server: %d, %v", n, err)
	}
}

// TestStepThatBreaks interrupts a step at each of its writes. Nothing of it stays, and the next step is whole.
func TestStepThatBreaks(t *testing.T) {
	for i, when := range []string{"BEFORE INSERT ON log_keys", "BEFORE INSERT ON logs", "BEFORE INSERT ON log_leaves",
		"BEFORE INSERT ON log_checkpoints", "BEFORE UPDATE ON log_keys"} {
		t.Run(when, func(t *testing.T) {
			h := newHall(t)
			s := New(h.db)
			h.record(10)
			if i > 1 {
				h.step(s)
			}
			for at := 11; at < 11+atOnce/50; at++ {
				h.record(at)
			}
			if storetest.OnServer() && i != 2 {
				when += " WHEN (true)"
			}
			storetest.Break(t, h.db, strings.Replace(when, " WHEN (true)", " WHEN true", 1))
			if _, err := s.Step(t.Context(), h.event); err == nil {
				t.Error("the step succeeds")
			}
			storetest.Mend(t, h.db)
			h.step(s)
			if got := h.leaves(s); len(got) != 11 {
				t.Errorf("%d leaves", len(got))
			}
			h.checkAll(s)
		})
	}
}

// TestManySequencers lets several sequencers append at once while facts arrive. Each fact gets one leaf.
func TestManySequencers(t *testing.T) {
	h := newHall(t)
	compete(h, New(h.db), New(h.db), New(h.db))
}

// compete runs sequencers at once while facts are written.
func compete(h *hall, all ...*Sequencer) {
	h.t.Helper()
	const facts = 60
	written := make(chan struct{})
	var done sync.WaitGroup
	for _, s := range all {
		done.Go(func() {
			for more := true; more; {
				select {
				case <-written:
					more = false
				default:
				}
				if _, err := s.Step(h.t.Context(), h.event); err != nil && !errors.Is(err, errMoved) {
					h.t.Error(err)
				}
			}
		})
	}
	for i := range facts {
		h.record(i)
		h.happens(h.games[0], i+1, "penalty_given", i)
	}
	close(written)
	done.Wait()
	h.step(all[0])
	got := h.leaves(all[0])
	if slices.Sort(got); len(got) != 2*facts || len(slices.Compact(got)) != 2*facts {
		h.t.Errorf("%d leaves of %d facts", len(got), 2*facts)
	}
	for _, s := range all {
		h.checkAll(s)
	}
}

// TestNodesHaveOneLog lets two nodes of a PostgreSQL database append at once.
func TestNodesHaveOneLog(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	var nodes []*store.DB
	for range 2 {
		db, err := store.OpenNode(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		nodes = append(nodes, db)
	}
	h := &hall{t: t, db: nodes[0], event: 1}
	h.games = storetest.Hall(t, h.db, 1, 1)
	compete(h, New(nodes[0]), New(nodes[1]))
}

// TestLogIsAppendOnly checks that the database refuses every change of a log.
func TestLogIsAppendOnly(t *testing.T) {
	h := newHall(t)
	h.record(10)
	h.step(New(h.db))
	for _, change := range []string{"UPDATE logs SET epoch = 'x'", "DELETE FROM logs", "DELETE FROM log_leaves",
		"UPDATE log_leaves SET hash = 'x'", "UPDATE log_checkpoints SET note = 'x'", "DELETE FROM log_checkpoints"} {
		if _, err := h.db.WriteSQL.Exec(change); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", change, err)
		}
	}
}

// TestForgedLeaf checks that nothing more is signed once the leaves contradict the last checkpoint.
func TestForgedLeaf(t *testing.T) {
	if storetest.OnServer() {
		return
	}
	h := newHall(t)
	h.record(10)
	h.step(New(h.db))
	storetest.DropTriggers(t, h.db.WriteSQL)
	h.exec("UPDATE log_leaves SET hash = $1", hash("forged"))
	h.record(11)
	if n, err := New(h.db).Step(t.Context(), h.event); err == nil || n != 0 {
		t.Errorf("%d leaves, %v", n, err)
	}
}

// TestRestoredCopy checks that an older copy of the database does not contradict the log: it starts another one, whose
// first leaf refers to the earlier one.
func TestRestoredCopy(t *testing.T) {
	if storetest.OnServer() {
		return
	}
	path := storetest.At(t)
	h := &hall{t: t, db: served(t, path), event: 1}
	storetest.Hall(t, h.db, 1, 1)
	h.record(10)
	h.step(New(h.db))
	first, err := New(h.db).Checkpoint(t.Context(), h.event)
	if err != nil {
		t.Fatal(err)
	}
	older := filepath.Join(t.TempDir(), "older.db")
	h.exec("VACUUM INTO $1", older)
	h.record(11)
	h.step(New(h.db))
	if err := h.db.Close(); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(older)
	if err = errors.Join(err, os.WriteFile(path, copied, 0o600)); err != nil {
		t.Fatal(err)
	}
	h.db = served(t, path)
	s := New(h.db)
	if _, err := s.Checkpoint(t.Context(), h.event); err == nil {
		t.Error("the older checkpoint is served")
	}
	h.record(12)
	h.step(s)
	if got, want := h.leaves(s), []string{"log 1", "record 1", "record 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	again, err := s.Checkpoint(t.Context(), h.event)
	if err != nil || strings.SplitN(again.Note, "\n", 2)[0] == strings.SplitN(first.Note, "\n", 2)[0] {
		t.Errorf("%v: %s continues %s", err, again.Note, first.Note)
	}
	h.checkAll(s)
	w, found, err := WholeIn(h.db.Read, h.event)
	if err != nil || !found || len(w.Checkpoints) != 2 || w.Checkpoints[0].Note != first.Note {
		t.Errorf("%v %v: %+v", found, err, w)
	}
}

// witness returns a witness's key.
func witness(t testing.TB, n int) transparency.WitnessKey {
	t.Helper()
	key, err := transparency.NewWitnessKey(fmt.Sprint("w", n), []byte(fmt.Sprintf("%032d", n)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestCosign checks which cosignatures the server takes.
func TestCosign(t *testing.T) {
	h := newHall(t)
	s := New(h.db)
	h.record(10)
	h.step(s)
	vkey, err := s.Key(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s.Checkpoint(t.Context(), h.event)
	if err != nil {
		t.Fatal(err)
	}
	c, err := transparency.OpenCheckpoint(signed.Note, key)
	if err != nil {
		t.Fatal(err)
	}
	for n := range WitnessesMost + 1 {
		w := witness(t, n)
		text := fmt.Sprintf("%s\n%d\n%s", w.Witness, c.N, w.Cosign(c, int64(1000+n)))
		for _, wrong := range []string{"", text + "x", strings.Replace(text, "w", "v", 1), strings.Replace(text, "\n1\n",
			"\n2\n", 1), fmt.Sprintf("%s\n%d\n%s", w.Witness, c.N, witness(t, 77).Cosign(c, 5))} {
			if err := s.Cosign(t.Context(), h.event, wrong); err == nil {
				t.Errorf("%q is taken", wrong)
			}
		}
		for range 2 {
			if err := s.Cosign(t.Context(), h.event, text); (err != nil) != (n == WitnessesMost) {
				t.Errorf("witness %d: %v", n, err)
			}
		}
	}
	signed, err = s.Checkpoint(t.Context(), h.event)
	if lines := transparency.Cosignatures(signed.Note); err != nil || len(lines) != WitnessesMost+1 {
		t.Errorf("%d signatures, %v", len(lines), err)
	}
	if at, err := c.CheckCosignature(transparency.Cosignatures(signed.Note)["w7"], witness(t, 7).Witness); at != 1007 ||
		err != nil {
		t.Errorf("%d, %v", at, err)
	}
}

// TestShuffleIsLoggedBeforeItsDeal checks that a commitment is in the log as soon as the devices have it, and that
// another one is logged if the shuffle begins again.
func TestShuffleIsLoggedBeforeItsDeal(t *testing.T) {
	h := newHall(t)
	s := New(h.db)
	first, second := shuffle.Value{1}, shuffle.Value{2}
	h.exec(`INSERT INTO shuffles (game_id, secret, asked) VALUES ($1, $2, 0)`, h.games[0], first.String())
	h.step(s)
	h.exec(`UPDATE shuffles SET secret = $1`, second.String())
	h.step(s)
	h.exec(`UPDATE games SET status = 'running' WHERE id = $1`, h.games[0])
	h.exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at, chain)
		VALUES ($1, 2, $2, 1, $3, 'a', 5, 'x')`, h.games[0], dealEvent, fmt.Sprintf(
		`{"commitment":%q,"deal":{"joint":{"game":%d,"deal":1,"secret":%q,"shares":[]}}}`, hash("deal"), h.games[0], second))
	h.step(s)
	want := []string{fmt.Sprintf("shuffle %d 1", h.games[0]), fmt.Sprintf("shuffle %d 2", h.games[0]),
		fmt.Sprintf("deal %d 2", h.games[0])}
	if got := h.leaves(s); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	tree, err := s.Leaves(t.Context(), h.event, 1, 2)
	if err != nil || tree[0].Hash != shuffle.Commitment(h.games[0], second).String() {
		t.Errorf("%v, %v", tree, err)
	}
}
