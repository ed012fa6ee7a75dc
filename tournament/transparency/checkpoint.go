package transparency

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is the state of a log that its server has signed: the log's origin, its size and its root.
type Checkpoint struct {
	Origin string
	tlog.Tree
}

// Body returns the text that is signed (C2SP tlog-checkpoint).
func (c Checkpoint) Body() string { return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.N, c.Hash) }

// parseBody reads what Body returns. It rejects every other spelling.
func parseBody(text string) (c Checkpoint, err error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 {
		return c, errors.New("a checkpoint has three lines before its signatures")
	}
	c.Origin = lines[0]
	if c.N, err = strconv.ParseInt(lines[1], 10, 64); err == nil {
		c.Hash, err = tlog.ParseHash(lines[2])
	}
	if err != nil || c.Origin == "" || c.N < 0 || c.Body() != text {
		return c, errors.New("the checkpoint is malformed")
	}
	return c, nil
}

// SignCheckpoint returns the signed checkpoint of a log. The log's origin must belong to the key; see OriginOf.
func SignCheckpoint(c Checkpoint, key note.Signer) (string, error) {
	if err := belongs(c.Origin, key.Name()); err != nil {
		return "", err
	}
	text, err := note.Sign(&note.Note{Text: c.Body()}, key)
	return string(text), err
}

// OpenCheckpoint reads a signed checkpoint. It returns an error unless the signature of the key is valid and the log
// belongs to the key. Other signatures are ignored.
func OpenCheckpoint(text string, key note.Verifier) (Checkpoint, error) {
	n, err := note.Open([]byte(text), note.VerifierList(key))
	if err != nil {
		return Checkpoint{}, fmt.Errorf("the server's signature of the checkpoint: %w", err)
	}
	c, err := parseBody(n.Text)
	if err == nil {
		err = belongs(c.Origin, key.Name())
	}
	return c, err
}

// OriginOf returns the origin of a tournament's log in an epoch of the database. A server signs all its logs with one
// key, so each origin begins with the key's name.
func OriginOf(key string, tournamentID int64, epoch string) string {
	return fmt.Sprintf("%s/%d/%s", key, tournamentID, epoch)
}

func belongs(origin, key string) error {
	if !strings.HasPrefix(origin, key+"/") {
		return fmt.Errorf("the key %s does not sign the log %s", key, origin)
	}
	return nil
}

// Continues reports with an error that a checkpoint contradicts an earlier one of the same log. proof is the
// consistency proof from the earlier one, which is ignored if their sizes are equal or the earlier one is empty.
func (c Checkpoint) Continues(earlier Checkpoint, proof tlog.TreeProof) error {
	switch {
	case c.Origin != earlier.Origin:
		return fmt.Errorf("the log is %s, not %s", c.Origin, earlier.Origin)
	case c.N < earlier.N:
		return fmt.Errorf("the log has shrunk from %d to %d leaves", earlier.N, c.N)
	case c.N == earlier.N && c.Hash != earlier.Hash:
		return fmt.Errorf("there are two roots for %d leaves", c.N)
	case c.N == earlier.N, earlier.N == 0:
		return nil
	}
	if tlog.CheckTree(proof, c.N, c.Hash, earlier.N, earlier.Hash) != nil {
		return fmt.Errorf("the tree of %d leaves does not continue that of %d leaves", c.N, earlier.N)
	}
	return nil
}

// PublicKey returns the public key, as a vkey, of a private key in the format of package note.
func PublicKey(secret string) (string, error) {
	parts := strings.SplitN(secret, "+", 5) // the last part may contain more
	key, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(parts) < 5 || len(key) != 1+ed25519.SeedSize {
		return "", errors.New("the private key of the logs is malformed")
	}
	public := ed25519.NewKeyFromSeed(key[1:]).Public().(ed25519.PublicKey)
	return note.NewEd25519VerifierKey(parts[2], public)
}
