// Package release reads a published release of the program: its list of hashes, which is signed, and its archives.
package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Key is the verifier key of the release, as package golang.org/x/mod/sumdb/note writes it. The release command sets it
// with -ldflags "-X meldhall/cmd/internal/release.Key=…". It is empty in a build from source.
var Key string

// Sums is the name of the file with the hashes of a release's other files. It is a signed note. Each line of its text
// has the SHA-256 hash of a file in hexadecimal digits, two spaces and the file's name.
const Sums = "SHA256SUMS"

const (
	sumsMost    = 1 << 20
	programMost = 300 << 20 // bytes of an archive, and of the program in it
)

// Archive is one archive of a release.
type Archive struct {
	Name         string // of its file
	Hash         string // SHA-256 in hexadecimal digits
	Version      string // without a leading v
	System, Arch string // as in GOOS and GOARCH
}

var (
	sumLine     = regexp.MustCompile(`^([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._+~-]*)$`)
	archiveName = regexp.MustCompile(`^meldhall_([^_]+)_([a-z0-9]+)_([a-z0-9]+)\.(?:tar\.gz|zip)$`)
)

// Verify checks the signature of a list of hashes against a verifier key, and returns the archives in the list.
func Verify(sums []byte, key string) (archives []Archive, err error) {
	if key == "" {
		return nil, errors.New("this program was built from source and has no key to check a release with: give the " +
			"release's verifier key with --key")
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return nil, fmt.Errorf("the verifier key: %w", err)
	}
	signed, err := note.Open(sums, note.VerifierList(verifier))
	if err != nil {
		return nil, fmt.Errorf("%s is not signed with the key %s: %w", Sums, key, err)
	}
	for line := range strings.Lines(signed.Text) {
		m := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			return nil, fmt.Errorf("%s: the line %q is not a hash and a file name", Sums, line)
		}
		if name := archiveName.FindStringSubmatch(m[2]); name != nil {
			archives = append(archives, Archive{Name: m[2], Hash: m[1], Version: name[1], System: name[2],
				Arch: name[3]})
		}
	}
	return archives, nil
}

// Extract writes the program in the archive to a new file at to, which only its owner may write.
func (a Archive) Extract(data []byte, to string) error {
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != a.Hash {
		return fmt.Errorf("%s was changed or not downloaded completely: its hash is not the one in %s", a.Name, Sums)
	}
	program, err := a.open(data)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Name, err)
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	written, err := io.Copy(out, io.LimitReader(program, programMost))
	if err == nil && written == programMost {
		err = errors.New("the program is too large")
	}
	if err = errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close()); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", a.Name, err), os.Remove(to))
	}
	return nil
}

// open returns the contents of the program in an archive.
func (a Archive) open(data []byte) (io.Reader, error) {
	missing := errors.New("the archive has no program")
	if strings.HasSuffix(a.Name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		for _, f := range z.File {
			if f.Mode().IsRegular() && a.isProgram(f.Name) {
				return f.Open()
			}
		}
		return nil, missing
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(unpacked); ; {
		switch h, err := t.Next(); {
		case err == io.EOF:
			return nil, missing
		case err != nil:
			return nil, err
		case h.Typeflag == tar.TypeReg && a.isProgram(h.Name):
			return t, nil
		}
	}
}

func (a Archive) isProgram(name string) bool {
	want := "meldhall"
	if a.System == "windows" {
		want += ".exe"
	}
	return path.Base(name) == want
}
