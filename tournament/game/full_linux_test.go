package game

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// fullEnv is set in a process that has its own small disk at TMPDIR.
const fullEnv = "MELDHALL_FULL_DISK"

// TestDiskThatIsFull checks that on a full disk a move fails with a storage error and the game stays unchanged and
// readable. Once there is room again, the same move is accepted by its key, once.
func TestDiskThatIsFull(t *testing.T) {
	if os.Getenv(fullEnv) == "" {
		run := exec.Command(os.Args[0], "-test.run=^TestDiskThatIsFull$", "-test.v", "-test.timeout=2m",
			"-database=sqlite")
		run.Env = append(os.Environ(), fullEnv+"=1", "TMPDIR="+t.TempDir(), "GOTMPDIR=")
		id := []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		run.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: id,
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
		if said, err := run.CombinedOutput(); err != nil || !strings.Contains(string(said), "--- PASS") {
			t.Fatalf("%v\n%s", err, said)
		}
		return
	}
	disk := os.Getenv("TMPDIR")
	if err := errors.Join(syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""),
		syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m")); err != nil {
		t.Fatal(err)
	}
	s := newStore(t)
	game := storetest.Hall(t, s, 1, 1)[0]
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, game)
	seq, filler := look(t, g, game).State.Seq, filepath.Join(disk, "filler")
	fill(t, filler)
	for tries := 0; ; tries++ { // the remaining space of the write-ahead log
		if _, err := drawTurn(t, g, game, ""); err != nil {
			if !IsStorage(err) || !strings.Contains(err.Error(), "full") {
				t.Errorf("got %v", err)
			}
			break
		}
		if tries > 2000 {
			t.Fatal("the disk is never full")
		}
	}
	before := look(t, g, game)
	if before.State.Seq < seq || before.Stands == 0 {
		t.Errorf("at %d, and the clock stands since %d", before.State.Seq, before.Stands)
	}
	if _, err := g.Log.Tail(t.Context(), game, 0); err != nil {
		t.Errorf("what was written cannot be read: %v", err)
	}
	if _, err := drawTurn(t, g, game, "the-same-key"); !IsStorage(err) {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	back := func(now *Snapshot) bool {
		return now.Stands == 0 && now.State.Seq > before.State.Seq && now.State.Paused != nil &&
			now.State.Paused.Why == engine.PausedByOutage
	}
	for tries := 0; !back(look(t, g, game)); tries++ { // the program retries every second
		if tries == 20 {
			now := look(t, g, game)
			t.Fatalf("with room again at %d, paused %+v, the clock stands since %d", now.State.Seq, now.State.Paused,
				now.Stands)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		g.Heartbeat(ctx)
		cancel()
	}
	if err := s.CheckIntegrity(t.Context()); err != nil {
		t.Error(err)
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}
