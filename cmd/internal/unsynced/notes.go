// Package unsynced plays a power cut on the files of a program that was killed: of what it wrote and did not sync, a part is taken
// back. The program notes it itself where it is linked with the package disk.
package unsynced

import (
	"encoding/binary"
	"errors"
	"os"
)

// Suffix is what a file's notes are called after it: what was there before each write since the last sync.
const Suffix = "-unsynced"

// Unreadable is what a file beside the database is called after it that makes its disk fail to read: it says each which read fails, 1 for all.
const Unreadable = "-unreadable"

// LiesVariable, set to 1, makes a disk that says it has synced and has not: what a rig that looks for losses must find.
const LiesVariable = "MELDHALL_DISK_LIES"

// Note is a write that was not synced yet: New bytes at an offset, where Old was before in a file of Size bytes. One that
// shortens the file has no new bytes.
type Note struct {
	At, Size int64
	New      int
	Old      []byte
}

const noteHeader = 8 + 8 + 4 + 4

// Bytes is how a note is written.
func (n Note) Bytes() []byte {
	b := make([]byte, noteHeader, noteHeader+len(n.Old))
	binary.LittleEndian.PutUint64(b, uint64(n.At))
	binary.LittleEndian.PutUint64(b[8:], uint64(n.Size))
	binary.LittleEndian.PutUint32(b[16:], uint32(n.New))
	binary.LittleEndian.PutUint32(b[20:], uint32(len(n.Old)))
	return append(b, n.Old...)
}

// readNotes reads the notes of the file at path, the oldest first; the last one may be half written, and its write was never begun.
func readNotes(path string) (notes []Note, err error) {
	data, err := os.ReadFile(path + Suffix)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for err == nil && len(data) >= noteHeader {
		n := Note{
			At:   int64(binary.LittleEndian.Uint64(data)),
			Size: int64(binary.LittleEndian.Uint64(data[8:])),
			New:  int(binary.LittleEndian.Uint32(data[16:])),
		}
		end := noteHeader + int(binary.LittleEndian.Uint32(data[20:]))
		if end > len(data) {
			break
		}
		n.Old, data = data[noteHeader:end], data[end:]
		notes = append(notes, n)
	}
	return notes, err
}
