package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestNodesShareADatabase checks that several programs can serve a database together if all of them are nodes. A
// program that wants it to itself is rejected, and so is any other beside such a program.
func TestNodesShareADatabase(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	first := open(t, store.OpenNode, address)
	second := open(t, store.OpenNode, address)
	if first.Nodes.Name() == second.Nodes.Name() || first.Epoch != second.Epoch {
		t.Errorf("two nodes are %q of %v and %q of %v", first.Nodes.Name(), first.Epoch, second.Nodes.Name(),
			second.Epoch)
	}
	var used *store.InUseError
	if _, err := store.OpenAlone(address); !errors.As(err, &used) || !strings.Contains(err.Error(), "--nats") {
		t.Errorf("a program alone beside nodes: %v", err)
	}
	for _, s := range []*store.DB{first, second} {
		if err := s.Nodes.Join(t.Context(), "1.0", "abc"); err != nil {
			t.Fatal(err)
		}
	}
	first.Nodes.Hears(true)
	all, err := first.Nodes.Beat(t.Context())
	if err != nil || len(all) != 2 || all[0].Version != "1.0" || all[0].Hears == all[1].Hears {
		t.Errorf("the nodes are %+v, %v", all, err)
	}
	for _, s := range []*store.DB{first, second} {
		if err := errors.Join(s.Nodes.Leave(t.Context()), s.Close()); err != nil {
			t.Error(err)
		}
	}
	alone := open(t, store.OpenAlone, address)
	if _, err := store.OpenNode(address); !errors.As(err, &used) {
		t.Errorf("a node beside a program alone: %v", err)
	}
	if left := ask(t, address, `SELECT name FROM nodes`); len(left) != 0 || alone.Nodes != nil {
		t.Errorf("%q have not left", left)
	}
	if _, err := store.OpenNode(filepath.Join(t.TempDir(), "hall.db")); err == nil ||
		!strings.Contains(err.Error(), "PostgreSQL") {
		t.Errorf("a file for several: %v", err)
	}
}

// TestNodesKeepTheirTables checks that a newer program does not change the tables under running nodes.
func TestNodesKeepTheirTables(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	open(t, store.OpenNode, address)
	ask(t, address,
		`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version) RETURNING version_id::text`)
	if _, err := store.OpenNode(address); err == nil || !strings.Contains(err.Error(),
		"other programs serve it: stop those first") {
		t.Errorf("tables of an older version: %v", err)
	}
}

// TestNodesHaveOneTime checks that all nodes have the database's time, regardless of their machines, and that no clock
// goes back.
func TestNodesHaveOneTime(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	var all []*store.DB
	for range 2 {
		all = append(all, open(t, store.OpenNode, address))
	}
	last := all[0].Now()
	for range 200 {
		if _, err := all[0].Nodes.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
		now, other := all[0].Now(), all[1].Now()
		if now.Before(last) {
			t.Fatalf("it went back from %v to %v", last, now)
		}
		if off := other.Sub(now); off < -50*time.Millisecond || off > 50*time.Millisecond {
			t.Fatalf("two nodes are %v apart", off)
		}
		last = now
	}
}

// TestNodesHaveOneShelf checks that what one node puts on a shelf is visible to the others and can be taken once. A
// program alone has no shelf.
func TestNodesHaveOneShelf(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	here, there := open(t, store.OpenNode, address), open(t, store.OpenNode, address)
	type thing struct{ Account int64 }
	here.Nodes.Shelf("sign-in").Put("x", thing{7}, here.Now().Add(time.Minute))
	here.Nodes.Shelf("sign-in").Put("over", thing{8}, here.Now().Add(-time.Second))
	var seen thing
	if !there.Nodes.Shelf("sign-in").See("x", &seen) || seen.Account != 7 {
		t.Errorf("another node sees %+v", seen)
	}
	if there.Nodes.Shelf("badge").See("x", &seen) || there.Nodes.Shelf("sign-in").See("over", &seen) {
		t.Error("another kind is seen, or what is over")
	}
	if !there.Nodes.Shelf("sign-in").Take("x", &seen) || here.Nodes.Shelf("sign-in").Take("x", &seen) {
		t.Error("it is not taken once")
	}
	here.Nodes.Shelf("badge").Put("7", thing{9}, here.Now().Add(time.Minute))
	there.Nodes.Shelf("badge").PutBack("7", thing{8}, here.Now().Add(time.Minute))
	there.Nodes.Shelf("badge").PutBack("6", thing{6}, here.Now().Add(time.Minute))
	if !here.Nodes.Shelf("badge").See("7", &seen) || seen.Account != 9 || !here.Nodes.Shelf("badge").See("6", &seen) ||
		seen.Account != 6 {
		t.Errorf("what was put back is in the place of something newer, or not there: %+v", seen)
	}
	if err := errors.Join(here.Close(), there.Close()); err != nil {
		t.Fatal(err)
	}
	if open(t, store.OpenAlone, address).Nodes.Shelf("sign-in") != nil {
		t.Error("a program alone has a shelf")
	}
}

// TestNodesStartTogether starts nodes at the same moment on an empty database: one creates the tables, and all serve
// it.
func TestNodesStartTogether(t *testing.T) {
	address := storetest.Server(t, storetest.Empty)
	opened := make(chan error, 4)
	var all sync.WaitGroup
	for range cap(opened) {
		all.Go(func() {
			s, err := store.OpenNode(address)
			opened <- err
			if err == nil {
				t.Cleanup(func() { _ = s.Close() })
			}
		})
	}
	all.Wait()
	close(opened)
	for err := range opened {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestNodesBeatBesideALongTransaction checks that a long transaction holds up other writers but no heartbeats.
func TestNodesBeatBesideALongTransaction(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	here, there := open(t, store.OpenNode, address), open(t, store.OpenNode, address)
	long, err := here.WriteSQL.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() { // takes the other node's writing connection
		tx, err := there.WriteSQL.BeginTx(t.Context(), nil)
		if err == nil {
			err = tx.Rollback()
		}
		waits <- err
	}()
	for there.WriteSQL.Stats().InUse == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for _, s := range []*store.DB{here, there} {
		if _, err := s.Nodes.Beat(ctx); err != nil {
			t.Errorf("%s does not say that it is there: %v", s.Nodes.Name(), err)
		}
	}
	if err := errors.Join(long.Rollback(), <-waits); err != nil {
		t.Error(err)
	}
}

// TestNodesLookAtTheirTablesBesideWriters checks that a starting program reads its tables during other writers'
// transactions, and holds up none of them.
func TestNodesLookAtTheirTablesBesideWriters(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	here, there := open(t, store.Open, address), open(t, store.OpenNode, address)
	long, err := here.WriteSQL.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	looked := make(chan error, 2)
	for range cap(looked) {
		go func() { looked <- there.CheckSchema(ctx) }()
	}
	for range cap(looked) {
		if err := <-looked; err != nil {
			t.Errorf("while another one writes: %v", err)
		}
	}
	if err := long.Rollback(); err != nil {
		t.Error(err)
	}
}

// TestNodeThatSlept checks that a node whose machine slept has the other nodes' time after its first heartbeat.
func TestNodeThatSlept(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	here, there := open(t, store.OpenNode, address), open(t, store.OpenNode, address)
	store.Sleep(there, 90*time.Second)
	if _, err := there.Nodes.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	now, other := here.Now(), there.Now()
	if off := other.Sub(now); off < -2*time.Second || off > 2*time.Second {
		t.Errorf("a node that has slept is %v from another one", off)
	}
}
