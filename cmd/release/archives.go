package main

import (
	"archive/tar"
	"archive/zip"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file in an archive: either the file at from, or text.
type entry struct {
	name string
	from string
	text string
	mode os.FileMode
}

// open returns the contents and their length in bytes.
func (e entry) open() (io.ReadCloser, int64, error) {
	if e.from == "" {
		return io.NopCloser(strings.NewReader(e.text)), int64(len(e.text)), nil
	}
	file, err := os.Open(e.from)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// archives writes the archive of each target: the program, the guide, the licences, and for Linux the unit file. For
// macOS there is also an application in a zip file.
func (r release) archives() error {
	for _, t := range r.targets {
		entries := []entry{
			{name: t.program(), from: r.binary(t), mode: 0o755},
			{name: "README.md", from: r.file("data/deploy/README.md"), mode: 0o644},
			{name: "LICENCES.txt", from: r.file("data/licences.txt"), mode: 0o644},
		}
		write, ending := writeTarGz, ".tar.gz"
		switch t.system {
		case "linux":
			entries = append(entries,
				entry{name: "meldhall.service", from: r.file("data/deploy/meldhall.service"), mode: 0o644})
		case "windows":
			write, ending = writeZip, ".zip"
		case "darwin":
			if err := r.write(r.named(t)+".zip", writeZip, r.application(t)); err != nil {
				return err
			}
		}
		for i := range entries {
			entries[i].name = path.Join("meldhall_"+r.source.version, entries[i].name)
		}
		if err := r.write(r.named(t)+ending, write, entries); err != nil {
			return err
		}
	}
	return nil
}

// application returns the files of a macOS application. Without a window of its own it has no place in the Dock: the
// page in the browser quits it.
func (r release) application(t target) []entry {
	property := func(key, value string) string {
		return "\t<key>" + key + "</key>\n\t<string>" + value + "</string>\n"
	}
	info := `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
` + property("CFBundleExecutable", t.program()) + property("CFBundleIdentifier", "meldhall") +
		property("CFBundleName", "Meldhall") + property("CFBundlePackageType", "APPL") +
		property("CFBundleShortVersionString", r.source.version) + property("CFBundleVersion", r.source.version) +
		property("LSMinimumSystemVersion", "12.0") + "\t<key>LSUIElement</key>\n\t<true/>\n</dict>\n</plist>\n"
	return []entry{
		{name: "Meldhall.app/Contents/Info.plist", text: info, mode: 0o644},
		{name: "Meldhall.app/Contents/MacOS/" + t.program(), from: r.binary(t), mode: 0o755},
		{name: "Meldhall.app/Contents/Resources/LICENCES.txt", from: r.file("data/licences.txt"), mode: 0o644},
	}
}

// file returns the path of a file of the source.
func (r release) file(name string) string {
	return filepath.Join(r.source.root, filepath.FromSlash(name))
}

// write writes a file of the release from entries, sorted by name.
func (r release) write(name string, write func(io.Writer, []entry, time.Time) error, entries []entry) error {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	out, err := os.Create(filepath.Join(r.out, name))
	if err != nil {
		return err
	}
	if err := errors.Join(write(out, entries, r.source.time), out.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func writeTarGz(w io.Writer, entries []entry, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(writeTar(z, entries, at), z.Close())
}

// writeTar writes a tar file. A name that ends with a slash is a folder of the container's user.
func writeTar(w io.Writer, entries []entry, at time.Time) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		content, size, err := e.open()
		if err != nil {
			return err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: size, Mode: int64(e.mode), ModTime: at}
		if e.name[len(e.name)-1] == '/' {
			header.Typeflag, header.Uid, header.Gid = tar.TypeDir, containerUser, containerUser
		}
		err = t.WriteHeader(header)
		if err == nil {
			_, err = io.Copy(t, content)
		}
		if err = errors.Join(err, content.Close()); err != nil {
			return err
		}
	}
	return t.Close()
}

func writeZip(w io.Writer, entries []entry, at time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range entries {
		content, _, err := e.open()
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		out, err := z.CreateHeader(header)
		if err == nil {
			_, err = io.Copy(out, content)
		}
		if err = errors.Join(err, content.Close()); err != nil {
			return err
		}
	}
	return z.Close()
}
