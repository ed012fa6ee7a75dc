package storage

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unfinished is in the name of a file that is being written, or whose writing was cut off.
const unfinished = ".part"

// WriteBeside writes a file into a folder beside the database, which it makes: the file is there whole, or as it was. Programs that share
// the folder may write the same one at the same time. Nobody else on the machine reads it.
func (s *DB) WriteBeside(folder, name string, write func(io.Writer) error) error {
	folder = filepath.Join(s.Folder(), folder)
	if err := os.Mkdir(folder, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	removeCutOff(folder, filepath.Ext(name))
	part, err := os.CreateTemp(folder, name+unfinished+"*")
	if err != nil {
		return err
	}
	if err = errors.Join(write(part), part.Close()); err == nil {
		err = Settle(part.Name(), filepath.Join(folder, name))
	}
	if err != nil { // on a full disk it takes room that others need
		err = errors.Join(err, removeAll(part.Name()))
	}
	return err
}

// removeCutOff removes from a folder what is left of files with an ending whose writing was cut off: it takes room. Those of the last hour
// may be at work.
func removeCutOff(folder, ending string) {
	files, _ := os.ReadDir(folder)
	for _, file := range files {
		if info, err := file.Info(); err == nil && strings.Contains(file.Name(), ending+unfinished) && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(folder, file.Name()))
		}
	}
}

// Settle gives a file that was written its name, once all of it is on the disk.
func Settle(part, path string) error {
	f, err := os.OpenFile(part, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	syncNames(filepath.Dir(path))
	return nil
}

// syncNames brings the names in a folder onto the disk: what was renamed or linked is there after a loss of power.
func syncNames(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync() // not every system can
		_ = f.Close()
	}
}
