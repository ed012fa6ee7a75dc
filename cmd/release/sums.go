package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Names of files of the release.
const (
	sumsName  = "SHA256SUMS"
	notesName = "RELEASE-NOTES.md"
)

// keys are the key that a release is signed with, and the key that checks the signature. signer is nil if the release
// is not signed.
type keys struct {
	verifier string
	signer   note.Signer
}

// writeKey writes a new signing key to a new file that only its owner can read, and returns its verifier key.
func writeKey(path string) (verifier string, err error) {
	private, verifier, err := note.GenerateKey(rand.Reader, "meldhall")
	if err != nil {
		return "", err
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintln(out, private)
	return verifier, errors.Join(err, out.Close())
}

// readKeys reads a file with a signing key, or with a verifier key alone.
func readKeys(path string) (k keys, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return k, err
	}
	key := strings.TrimSpace(string(text))
	if !strings.HasPrefix(key, "PRIVATE+KEY+") {
		_, err = note.NewVerifier(key)
		return keys{verifier: key}, err
	}
	if k.signer, err = note.NewSigner(key); err != nil {
		return k, err
	}
	parts := strings.SplitN(key, "+", 5) // PRIVATE+KEY+name+hash+data; the data's first byte is the algorithm
	seed, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil {
		return k, err
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	k.verifier, err = note.NewEd25519VerifierKey(k.signer.Name(), public)
	return k, err
}

// sums writes the hashes of all files of the release, sorted by name, signed if there is a signing key.
func (r release) sums() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, file := range files {
		sum, err := hashOf(filepath.Join(r.out, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, file.Name())
	}
	signed := text.Bytes()
	if r.keys.signer != nil {
		if signed, err = note.Sign(&note.Note{Text: text.String()}, r.keys.signer); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), signed, 0o644)
}

// hashOf returns the SHA-256 hash of a file in hexadecimal digits.
func hashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}
