package torn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// leftBytes is the size that the write-ahead log reaches before the program is killed.
const leftBytes = 1 << 20

// Leave makes the program at exe play a small tournament to its end in a new database in dir, then a second one until
// the program is killed. It returns the database's path. The file holds complete tables, and some commits are only in
// its write-ahead log.
func Leave(ctx context.Context, exe, dir string) (string, error) {
	path := filepath.Join(dir, "left.db")
	event := []string{"simulate", "--db", path, "--format", "quick", "--workers", "1", "--players", "4"}
	if said, err := exec.CommandContext(ctx, exe, event...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("play the first event: %w\n%s", err, said)
	}
	second := exec.CommandContext(ctx, exe, append(event[:len(event)-1], "64", "--seed", "2")...)
	if err := second.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- second.Wait() }()
	for {
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() >= leftBytes {
			if err := second.Process.Kill(); err != nil {
				return "", err
			}
			<-ended
			return path, nil
		}
		select {
		case <-ended:
			return "", errors.New("the program ended before it was killed")
		case <-time.After(time.Millisecond):
		}
	}
}

// All runs every kind of damage, each with the given number of tries.
func (r *Rig) All(ctx context.Context, tries int) (counts []Count, err error) {
	for _, run := range []func() (Count, error){
		func() (Count, error) { return r.Cuts(ctx, tries) },
		func() (Count, error) { return r.TornFrames(ctx, tries) },
		func() (Count, error) { return r.FlippedInLog(ctx, tries) },
		func() (Count, error) { return r.FlippedInFile(ctx, tries) },
	} {
		c, err := run()
		if err != nil {
			return counts, fmt.Errorf("%s: %w", c.Kind, err)
		}
		counts = append(counts, c)
	}
	return counts, nil
}
