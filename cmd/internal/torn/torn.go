package torn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"meldhall/tournament/store"
)

// Rig opens damaged copies of a database. Dir is a folder reserved for the copies. Verify must check a copy as meldhall
// verify --all does. Seed makes the random choices repeatable.
type Rig struct {
	File   *File
	Dir    string
	Verify func(ctx context.Context, path string) error
	Seed   uint64
	states map[int]state // by number of frames
	tries  int
}

// FileFlipped is the name of the kind of damage that the write-ahead log cannot reveal.
const FileFlipped = "a bit of the file flipped"

// Count counts the tries of one kind of damage by outcome: the copy opened complete (Whole), opened at a commit before
// the last one (Behind), was refused (Refused), or was found to be damaged when it was read or verified (Found). Wrong
// names the tries in which wrong values went unnoticed.
type Count struct {
	Kind                          string
	Whole, Behind, Refused, Found int
	Wrong                         []string
}

// String formats a line of the report.
func (c Count) String() string {
	line := fmt.Sprintf("%-40s %5d complete, %4d at an earlier commit, %4d refused, %3d found by verify, %d wrong "+
		"without an error",
		c.Kind, c.Whole, c.Behind, c.Refused, c.Found, len(c.Wrong))
	if len(c.Wrong) > 0 {
		line += ": " + strings.Join(c.Wrong, "; ")
	}
	return line
}

// Cuts truncates the log between two frames, as if nothing after that point had reached the disk. It tries the end of
// the log and the last borders before it; their number is limited to most. The program must open at the last complete
// commit before the cut.
func (r *Rig) Cuts(ctx context.Context, most int) (Count, error) {
	c := Count{Kind: "log cut between two frames"}
	for n := max(0, r.File.last()-most); n <= r.File.last(); n++ {
		if err := r.try(ctx, &c, fmt.Sprintf("frame %d", n), r.File.DB, r.File.WAL[:r.File.border(n)], n); err != nil {
			return c, err
		}
	}
	return c, nil
}

// TornFrames truncates the log inside a random frame, n times. A half-written frame must be ignored.
func (r *Rig) TornFrames(ctx context.Context, n int) (Count, error) {
	c := Count{Kind: "log cut inside a frame"}
	rng := rand.New(rand.NewPCG(r.Seed, 1))
	for range n {
		frame := rng.IntN(r.File.last())
		end := r.File.border(frame) + 1 + rng.IntN(r.File.frame()-1)
		if err := r.try(ctx, &c, fmt.Sprintf("byte %d", end), r.File.DB, r.File.WAL[:end], frame); err != nil {
			return c, err
		}
	}
	return c, nil
}

// FlippedInLog flips one random bit of the log, n times. Commits from there on must be ignored.
func (r *Rig) FlippedInLog(ctx context.Context, n int) (Count, error) {
	c := Count{Kind: "a bit of the log flipped"}
	rng := rand.New(rand.NewPCG(r.Seed, 2))
	for range n {
		wal, at := flip(r.File.WAL, rng)
		if err := r.try(ctx, &c, fmt.Sprintf("bit %d of byte %d", at%8, at/8), r.File.DB, wal,
			max(at/8-walHeader, 0)/r.File.frame()); err != nil {
			return c, err
		}
	}
	return c, nil
}

// FlippedInFile flips one random bit of the database file, after all of the log was written to it, n times. The file
// must be refused, the damage found by verify, or no value changed.
func (r *Rig) FlippedInFile(ctx context.Context, n int) (Count, error) {
	c := Count{Kind: FileFlipped}
	rng := rand.New(rand.NewPCG(r.Seed, 3))
	whole := r.File.after(r.File.last())
	for range n {
		db, at := flip(whole, rng)
		if err := r.try(ctx, &c, fmt.Sprintf("bit %d of byte %d", at%8, at/8), db, nil, r.File.last()); err != nil {
			return c, err
		}
	}
	return c, nil
}

// flip flips a random bit of a copy and returns the bit's index.
func flip(whole []byte, rng *rand.Rand) (damaged []byte, bit int) {
	damaged, bit = append([]byte(nil), whole...), rng.IntN(8*len(whole))
	damaged[bit/8] ^= 1 << (bit % 8)
	return damaged, bit
}

// try opens a damaged copy as the server does, and counts the outcome. frames is the number of intact frames.
func (r *Rig) try(ctx context.Context, c *Count, name string, db, wal []byte, frames int) error {
	r.tries++
	path := filepath.Join(r.Dir, fmt.Sprintf("%d.db", r.tries))
	defer remove(path)
	if err := errors.Join(os.WriteFile(path, db, 0o600), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
		return err
	}
	want, err := r.stateAt(ctx, r.File.kept(frames))
	if err != nil {
		return err
	}
	opened, err := store.OpenAlone(path)
	if err != nil {
		c.Refused++
		return nil
	}
	got, err := stateOf(ctx, opened.ReadSQL, written...)
	if err := opened.Close(); err != nil {
		return err
	}
	column := got.differs(want)
	switch {
	case err == nil && column == "" && r.File.kept(frames) == r.File.last():
		c.Whole++
	case err == nil && column == "":
		c.Behind++
	case err != nil || r.Verify(ctx, path) != nil:
		c.Found++
	default:
		c.Wrong = append(c.Wrong, name+" in "+column)
	}
	return nil
}

// written lists the tables that change when the program opens a file.
var written = []string{"heartbeat", "epochs"}

func remove(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		os.Remove(path + suffix)
	}
}

// stateAt returns the state expected after the commit that ends with the nth frame.
func (r *Rig) stateAt(ctx context.Context, n int) (state, error) {
	if known, ok := r.states[n]; ok {
		return known, nil
	}
	path := filepath.Join(r.Dir, "reference.db")
	defer remove(path)
	if err := os.WriteFile(path, r.File.after(n), 0o600); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s, err := stateOf(ctx, db, written...)
	if err != nil {
		return nil, fmt.Errorf("after frame %d: %w", n, err)
	}
	if r.states == nil {
		r.states = map[int]state{}
	}
	r.states[n] = s
	return s, nil
}
