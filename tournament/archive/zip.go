package archive

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"meldhall/tournament/refuse"
)

// Size limits of an archive. A tournament of 1,000 players in ten rounds of four games needs a third of them.
// Compression reduces a tournament to a seventh, and its longest list to an eighteenth.
const (
	Most         = 256 << 20 // bytes of the ZIP file
	mostFiles    = 50_000
	mostOne      = 64 << 20 // bytes of one file in it, uncompressed
	mostAll      = 512 << 20
	mostRatio    = 100 // compression ratio of one file
	mostRatioAll = 40
	ratioFrom    = 1 << 20 // bytes; the ratio of less does not matter
)

// written is the time of all files in an archive, so that archives do not depend on when they are made.
var written = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// WriteTo writes the archive as a ZIP file: the manifest first, then the files sorted by name, with a fixed time.
func (a *Archive) WriteTo(w io.Writer) (int64, error) {
	counted := &counting{w: w}
	z := zip.NewWriter(counted)
	others := slices.DeleteFunc(a.names(), func(name string) bool { return name == manifestName })
	for _, name := range append([]string{manifestName}, others...) {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: written})
		if err == nil {
			_, err = f.Write(a.files[name])
		}
		if err != nil {
			return counted.n, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return counted.n, z.Close()
}

type counting struct {
	w io.Writer
	n int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// Read reads an archive and compares every file with the manifest. It accepts only what WriteTo produces: known names,
// each once, with limited sizes.
func Read(data []byte) (*Archive, error) {
	if len(data) > Most {
		return nil, refuse.Invalid("err_archive_large", "most", Most>>20)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refuse.Invalid("err_archive_none")
	}
	named, err := listed(z.File, uint64(len(data)))
	if err != nil {
		return nil, err
	}
	f := named[manifestName]
	if f == nil {
		return nil, refuse.Invalid("err_archive_none")
	}
	a := &Archive{files: map[string][]byte{}}
	if a.files[manifestName], err = unpack(f); err != nil {
		return nil, err
	}
	if err := a.readManifest(); err != nil {
		return nil, err
	}
	for name := range named {
		if !mayBeNamed(name) {
			return nil, refuse.Invalid("err_archive_foreign", "file", name)
		}
	}
	if err := a.readFiles(named); err != nil || a.Manifest.Version == Version {
		return a, err
	}
	return a, a.upgrade()
}

// listed returns the files by name, after checking the limits before anything is unpacked. size is the size of the ZIP
// file.
func listed(files []*zip.File, size uint64) (map[string]*zip.File, error) {
	if len(files) > mostFiles {
		return nil, refuse.Invalid("err_archive_many", "most", mostFiles)
	}
	named, all := map[string]*zip.File{}, uint64(0)
	for _, f := range files {
		if named[f.Name] != nil {
			return nil, refuse.Invalid("err_archive_twice", "file", f.Name)
		}
		named[f.Name] = f
		long := f.UncompressedSize64
		if long > mostOne || all+long > mostAll || long > ratioFrom && long/max(f.CompressedSize64, 1) > mostRatio ||
			all+long > ratioFrom && (all+long)/size > mostRatioAll {
			return nil, refuse.Invalid("err_archive_bomb", "file", f.Name)
		}
		all += long
	}
	return named, nil
}

// unpack returns a file's content, at most as much as its header declares.
func unpack(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, refuse.Invalid("err_archive_changed", "file", f.Name)
	}
	defer in.Close()
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(in, int64(f.UncompressedSize64)+1))
	if err != nil || uint64(n) != f.UncompressedSize64 {
		return nil, refuse.Invalid("err_archive_changed", "file", f.Name)
	}
	return out.Bytes(), nil
}

// readManifest decodes the manifest and checks its version and its hash.
func (a *Archive) readManifest() error {
	data := a.files[manifestName]
	var begins struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &begins); errors.As(err, new(*json.SyntaxError)) {
		return refuse.Invalid("err_archive_changed", "file", manifestName)
	}
	switch {
	case begins.Format != Format || begins.Version < 1:
		return refuse.Invalid("err_archive_none")
	case begins.Version > Version:
		return refuse.Invalid("err_archive_newer", "version", begins.Version, "known", Version)
	}
	if json.Unmarshal(data, &a.Manifest) != nil || !bytes.Equal(a.Manifest.text(), data) {
		return refuse.Invalid("err_archive_changed", "file", manifestName)
	}
	return nil
}

// readFiles unpacks the files and compares them with the manifest.
func (a *Archive) readFiles(named map[string]*zip.File) error {
	for _, name := range topics {
		if named[name] == nil {
			return refuse.Invalid("err_archive_missing", "file", name)
		}
	}
	for _, file := range a.Manifest.Files {
		f := named[file.Name]
		if f == nil {
			return refuse.Invalid("err_archive_missing", "file", file.Name)
		}
		data, err := unpack(f)
		if err != nil {
			return err
		}
		if len(data) != file.Size || hashOf(data) != file.SHA256 {
			return refuse.Invalid("err_archive_changed", "file", file.Name)
		}
		a.files[file.Name] = data
	}
	for name := range named {
		if _, known := a.files[name]; !known {
			return refuse.Invalid("err_archive_foreign", "file", name)
		}
	}
	return nil
}
