// Package releasetest makes releases for tests.
package releasetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"meldhall/cmd/internal/release"
)

// Tarball returns an archive for Linux or macOS with one program.
func Tarball(t *testing.T, name, contents string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o755, Size: int64(len(contents))})
	if err == nil {
		_, err = w.Write([]byte(contents))
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Signed returns a signed list of the files' hashes, and its verifier key.
func Signed(t *testing.T, files map[string][]byte) (sums []byte, key string) {
	t.Helper()
	private, key, err := note.GenerateKey(rand.Reader, "meldhall")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for name, data := range files {
		text += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
	}
	sums, err = note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return sums, key
}

// Folder writes a signed release with the given files, and returns its folder and its verifier key.
func Folder(t *testing.T, files map[string][]byte) (folder, key string) {
	t.Helper()
	folder = t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sums, key := Signed(t, files)
	write(release.Sums, sums)
	for name, data := range files {
		write(name, data)
	}
	return folder, key
}
