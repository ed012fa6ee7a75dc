// Package torn damages copies of a database as a power failure or a dying disk would, and checks how the program
// handles each.
package torn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
)

// Layout of SQLite's write-ahead log: a header, then frames, each a header and a page
// (https://www.sqlite.org/fileformat2.html#walformat).
const (
	walHeader   = 32
	frameHeader = 24
)

// File is a database left by a killed program: the database file, and the write-ahead log with commits that are not in
// the file yet.
type File struct {
	DB, WAL []byte
	page    int
	commits []int // number of frames up to the end of each commit, ascending
}

// Read reads the database at path and its log. No program may have it open. Read returns an error for a log without a
// commit, because there would be too little to damage.
func Read(path string) (*File, error) {
	f := &File{}
	var err error
	if f.DB, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	if f.WAL, err = os.ReadFile(path + "-wal"); err != nil {
		return nil, err
	}
	if len(f.WAL) < walHeader {
		return nil, errors.New("the log of writes is empty")
	}
	f.page = int(binary.BigEndian.Uint32(f.WAL[8:]))
	salt := f.WAL[16:24]
	n := 0
	for ; n < (len(f.WAL)-walHeader)/f.frame(); n++ {
		header := f.WAL[f.border(n):]
		if string(header[8:16]) != string(salt) {
			break // left from the previous log, which this one overwrites
		}
		if binary.BigEndian.Uint32(header[4:]) != 0 {
			f.commits = append(f.commits, n+1)
		}
	}
	if len(f.commits) == 0 {
		return nil, errors.New("there is no commit in the log of writes")
	}
	f.WAL = f.WAL[:f.border(f.last())]
	return f, nil
}

// Facts describes the size of the file and its log.
func (f *File) Facts() string {
	return fmt.Sprintf("%d KiB in the file, %d commits in %d frames of the log", len(f.DB)>>10, len(f.commits),
		f.last())
}

func (f *File) frame() int { return frameHeader + f.page }

// border returns the offset of frame n, counted from 0.
func (f *File) border(n int) int { return walHeader + n*f.frame() }

// last returns the number of frames in all commits.
func (f *File) last() int { return f.commits[len(f.commits)-1] }

// kept returns how many of the first n frames belong to complete commits.
func (f *File) kept(n int) int {
	i, _ := slices.BinarySearch(f.commits, n+1)
	if i == 0 {
		return 0
	}
	return f.commits[i-1]
}

// after returns the file with the first n frames applied. This package applies them itself, without SQLite, to show
// what a reader must see after the commit that ends with frame n.
func (f *File) after(n int) []byte {
	db := slices.Clone(f.DB)
	for i := range n {
		at := f.border(i)
		number, size := int(binary.BigEndian.Uint32(f.WAL[at:])), int(binary.BigEndian.Uint32(f.WAL[at+4:]))
		if need := number * f.page; need > len(db) {
			db = append(db, make([]byte, need-len(db))...)
		}
		copy(db[(number-1)*f.page:], f.WAL[at+frameHeader:at+f.frame()])
		if size != 0 && i == n-1 {
			db = db[:size*f.page]
		}
	}
	return db
}
