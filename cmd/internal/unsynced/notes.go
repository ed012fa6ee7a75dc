// Package unsynced is the format of the notes that a program keeps of its unsynced writes if it is linked with package
// disk. meldbench undoes a part of these writes to simulate a power failure.
package unsynced

import (
	"encoding/binary"
	"errors"
	"os"
)

// Suffix is appended to a file's name for its notes: the earlier content of each range written since the last sync.
const Suffix = "-unsynced"

// Unreadable is appended to the database's name for a file that makes reads fail. The file contains n: every nth read
// fails, 1 means all.
const Unreadable = "-unreadable"

// LiesVariable, set to 1, simulates a disk that reports a sync without doing it. A check for losses must notice that.
const LiesVariable = "MELDHALL_DISK_LIES"

// Note describes an unsynced write: New bytes at offset At that replace Old in a file of Size bytes. A truncation has
// no new bytes.
type Note struct {
	At, Size int64
	New      int
	Old      []byte
}

const noteHeader = 8 + 8 + 4 + 4

// Bytes returns the encoded note.
func (n Note) Bytes() []byte {
	b := make([]byte, noteHeader, noteHeader+len(n.Old))
	binary.LittleEndian.PutUint64(b, uint64(n.At))
	binary.LittleEndian.PutUint64(b[8:], uint64(n.Size))
	binary.LittleEndian.PutUint32(b[16:], uint32(n.New))
	binary.LittleEndian.PutUint32(b[20:], uint32(len(n.Old)))
	return append(b, n.Old...)
}

// ReadNotes reads the notes of the file at path, oldest first. The last one may be incomplete; its write never started.
func ReadNotes(path string) (notes []Note, err error) {
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
