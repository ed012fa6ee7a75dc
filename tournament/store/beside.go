package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unfinished is part of the name of a file that is still being written, or whose writing was interrupted.
const unfinished = ".part"

// WriteBeside writes a file into a folder beside the database, creating the folder if necessary. If writing fails, an
// existing file stays unchanged. Programs that share the folder may write the same file at the same time. Other users
// of the machine cannot read it.
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
	if err != nil { // on a full disk it takes up space that others need
		err = errors.Join(err, removeAll(part.Name()))
	}
	return err
}

// removeCutOff removes interrupted files with the given ending from a folder, since they take up space. It keeps those
// changed within the last hour, which may still be in progress.
func removeCutOff(folder, ending string) {
	files, _ := os.ReadDir(folder)
	for _, file := range files {
		if info, err := file.Info(); err == nil && strings.Contains(file.Name(), ending+unfinished) &&
			time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(folder, file.Name()))
		}
	}
}

// Settle syncs a written file to the disk and then gives it its name.
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

// syncNames syncs the names in a folder to the disk, so that renamed and linked files survive a loss of power.
func syncNames(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync() // not every system supports it
		_ = f.Close()
	}
}
