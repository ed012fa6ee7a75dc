package storage_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"meldhall/tournament/storage"
	"meldhall/tournament/storage/storagetest"
)

// Several programs serve a database together where all of them do; whoever wants it alone is refused, and so is a second one beside such.
func TestNodesShareADatabase(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	first := open(t, storage.OpenNode, address)
	second := open(t, storage.OpenNode, address)
	if first.Node() == second.Node() || first.Epoch != second.Epoch {
		t.Errorf("two nodes are %q of %v and %q of %v", first.Node(), first.Epoch, second.Node(), second.Epoch)
	}
	var used *storage.InUseError
	if _, err := storage.OpenAlone(address); !errors.As(err, &used) || !strings.Contains(err.Error(), "--nats") {
		t.Errorf("a program alone beside nodes: %v", err)
	}
	for _, s := range []*storage.DB{first, second} {
		if err := s.Join(t.Context(), "1.0", "abc"); err != nil {
			t.Fatal(err)
		}
	}
	first.Hears(true)
	all, err := first.Beat(t.Context())
	if err != nil || len(all) != 2 || all[0].Version != "1.0" || all[0].Hears == all[1].Hears {
		t.Errorf("the nodes are %+v, %v", all, err)
	}
	for _, s := range []*storage.DB{first, second} {
		if err := errors.Join(s.LeaveNodes(t.Context()), s.Close()); err != nil {
			t.Error(err)
		}
	}
	alone := open(t, storage.OpenAlone, address)
	if _, err := storage.OpenNode(address); !errors.As(err, &used) {
		t.Errorf("a node beside a program alone: %v", err)
	}
	if left := ask(t, address, `SELECT name FROM nodes`); len(left) != 0 || alone.Node() != "" {
		t.Errorf("%q have not left", left)
	}
	if _, err := storage.OpenNode(filepath.Join(t.TempDir(), "hall.db")); err == nil || !strings.Contains(err.Error(), "PostgreSQL") {
		t.Errorf("a file for several: %v", err)
	}
}

// A newer program does not change the tables under those that run.
func TestNodesKeepTheirTables(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	open(t, storage.OpenNode, address)
	ask(t, address, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version) RETURNING version_id::text`)
	if _, err := storage.OpenNode(address); err == nil || !strings.Contains(err.Error(), "other programs serve it: stop those first") {
		t.Errorf("tables of an older version: %v", err)
	}
}

// All nodes have the database's time, whatever their machines say, and nobody's goes back.
func TestNodesHaveOneTime(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	var all []*storage.DB
	for range 2 {
		all = append(all, open(t, storage.OpenNode, address))
	}
	last := all[0].Now()
	for range 200 {
		if _, err := all[0].Beat(t.Context()); err != nil {
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

// What one node keeps for a moment the others see, and one of them takes it; a program alone keeps such things itself.
func TestNodesHaveOneShelf(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	here, there := open(t, storage.OpenNode, address), open(t, storage.OpenNode, address)
	type thing struct{ Account int64 }
	here.Shelf("sign-in").Put("x", thing{7}, here.Now().Add(time.Minute))
	here.Shelf("sign-in").Put("over", thing{8}, here.Now().Add(-time.Second))
	var seen thing
	if !there.Shelf("sign-in").See("x", &seen) || seen.Account != 7 {
		t.Errorf("another node sees %+v", seen)
	}
	if there.Shelf("badge").See("x", &seen) || there.Shelf("sign-in").See("over", &seen) {
		t.Error("another kind is seen, or what is over")
	}
	if !there.Shelf("sign-in").Take("x", &seen) || here.Shelf("sign-in").Take("x", &seen) {
		t.Error("it is not taken once")
	}
	here.Shelf("badge").Put("7", thing{9}, here.Now().Add(time.Minute))
	there.Shelf("badge").PutBack("7", thing{8}, here.Now().Add(time.Minute))
	there.Shelf("badge").PutBack("6", thing{6}, here.Now().Add(time.Minute))
	if !here.Shelf("badge").See("7", &seen) || seen.Account != 9 || !here.Shelf("badge").See("6", &seen) || seen.Account != 6 {
		t.Errorf("what was put back is in the place of something newer, or not there: %+v", seen)
	}
	if err := errors.Join(here.Close(), there.Close()); err != nil {
		t.Fatal(err)
	}
	if open(t, storage.OpenAlone, address).Shelf("sign-in") != nil {
		t.Error("a program alone has a shelf")
	}
}

// Nodes that are started at one moment on an empty database: one makes the tables, and all serve it.
func TestNodesStartTogether(t *testing.T) {
	address := storagetest.Server(t, storagetest.Empty)
	opened := make(chan error, 4)
	var all sync.WaitGroup
	for range cap(opened) {
		all.Go(func() {
			s, err := storage.OpenNode(address)
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

// A transaction that takes long keeps other writers waiting, but no node from saying that it is there.
func TestNodesBeatBesideALongTransaction(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	here, there := open(t, storage.OpenNode, address), open(t, storage.OpenNode, address)
	long, err := here.WriteSQL.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan error, 1)
	go func() { // has the writing connection of the other one
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
	for _, s := range []*storage.DB{here, there} {
		if _, err := s.Beat(ctx); err != nil {
			t.Errorf("%s does not say that it is there: %v", s.Node(), err)
		}
	}
	if err := errors.Join(long.Rollback(), <-waits); err != nil {
		t.Error(err)
	}
}

// A program that starts looks at its tables beside whoever writes, and nobody waits for it.
func TestNodesLookAtTheirTablesBesideWriters(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	here, there := open(t, storage.Open, address), open(t, storage.OpenNode, address)
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

// A node whose machine has slept has the others' time with its first beat.
func TestNodeThatSlept(t *testing.T) {
	address := storagetest.Server(t, storagetest.Fresh)
	here, there := open(t, storage.OpenNode, address), open(t, storage.OpenNode, address)
	storage.Sleep(there, 90*time.Second)
	if _, err := there.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	now, other := here.Now(), there.Now()
	if off := other.Sub(now); off < -2*time.Second || off > 2*time.Second {
		t.Errorf("a node that has slept is %v from another one", off)
	}
}
