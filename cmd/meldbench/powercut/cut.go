// Package powercut simulates a power failure on the files of a killed program: it undoes a part of the writes that were
// not synced. The program recorded these writes itself.
package powercut

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"

	"meldhall/cmd/internal/unsynced"
)

// sector is the unit that a disk writes as a whole.
const sector = 512

// Loss counts the sectors with unsynced writes at a power failure, and those that lost a write, in the database and in
// its write-ahead log.
type Loss struct{ File, FileLost, Log, LogLost int }

// Cut simulates a power failure on the database at path, whose program must be dead. Each sector written since the
// file's last sync ends up as one of those writes left it, or as it was before them. Growth of the file may be undone
// too. Cut then clears the notes.
func Cut(path string, rng *rand.Rand) (l Loss, err error) {
	if l.File, l.FileLost, err = cutFile(path, rng); err != nil {
		return l, err
	}
	if l.Log, l.LogLost, err = cutFile(path+"-wal", rng); err != nil {
		return l, err
	}
	// The log's index is shared memory, so a power failure destroys it.
	if err = os.Remove(path + "-shm"); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return l, err
}

func cutFile(path string, rng *rand.Rand) (written, lost int, err error) {
	notes, err := unsynced.ReadNotes(path)
	if err != nil || len(notes) == 0 {
		return 0, 0, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	writes := map[int64]int{} // per sector
	for _, n := range notes {
		sectors(n, func(s int64, _, _ int) { writes[s]++ })
	}
	kept, lost := choose(writes, rng)
	for i := len(notes) - 1; i >= 0; i-- {
		n := notes[i]
		sectors(n, func(s int64, from, to int) {
			if writes[s]--; writes[s] < kept[s] || err != nil {
				return
			}
			before := make([]byte, to-from)
			if from < len(n.Old) {
				copy(before, n.Old[from:min(to, len(n.Old))])
			}
			_, err = f.WriteAt(before, n.At+int64(from))
		})
	}
	if err != nil {
		return 0, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	// the new length may not have been synced either
	if synced := notes[0].Size; info.Size() > synced && rng.IntN(2) == 0 {
		err = f.Truncate(synced)
	}
	return len(writes), lost, errors.Join(err, f.Sync(), os.Truncate(path+unsynced.Suffix, 0))
}

// choose decides how many of the writes to each sector reached the disk. It returns these numbers, and how many sectors
// lost a write: all, none or some.
func choose(writes map[int64]int, rng *rand.Rand) (kept map[int64]int, lost int) {
	kept = map[int64]int{}
	arrives := []float64{0, 1, rng.Float64(), rng.Float64()}[rng.IntN(4)]
	for s, n := range writes {
		kept[s] = n
		if rng.Float64() >= arrives {
			kept[s] = rng.IntN(n)
			lost++
		}
	}
	return kept, lost
}

// sectors calls each for every sector that a write or a truncation touches, with its range of bytes in the note.
func sectors(n unsynced.Note, each func(s int64, from, to int)) {
	long := max(n.New, len(n.Old))
	for from := 0; from < long; {
		s := (n.At + int64(from)) / sector
		to := min(int((s+1)*sector-n.At), long)
		each(s, from, to)
		from = to
	}
}
