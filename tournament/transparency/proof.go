package transparency

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// proofHeader is the first line of a proof of C2SP tlog-proof.
const proofHeader = "c2sp.org/tlog-proof@v1"

// Proof shows, without a network, that a log contains a leaf.
type Proof struct {
	Extra      []byte // what it is about; see Statement
	Index      int64
	Path       tlog.RecordProof
	Checkpoint string // signed
}

// String returns the proof as C2SP tlog-proof writes it.
func (p Proof) String() string {
	return fmt.Sprintf("%s\n%sindex %d\n%s\n%s", proofHeader, extraLine(p.Extra), p.Index, Hashes(p.Path), p.Checkpoint)
}

// ParseProof reads what String returns.
func ParseProof(text string) (p Proof, err error) {
	bad := errors.New("it is not a proof of a log")
	head, note, found := strings.Cut(text, "\n\n")
	header, rest, _ := strings.Cut(head, "\n")
	if extra, has := strings.CutPrefix(rest, "extra "); has {
		extra, rest, _ = strings.Cut(extra, "\n")
		if p.Extra, err = base64.StdEncoding.DecodeString(extra); err != nil {
			return p, bad
		}
	}
	index, hashes, _ := strings.Cut(rest, "\n")
	index, is := strings.CutPrefix(index, "index ")
	if !found || !is || header != proofHeader {
		return p, bad
	}
	p.Checkpoint = note
	if p.Index, err = strconv.ParseInt(index, 10, 64); err != nil {
		return p, bad
	}
	if hashes != "" {
		hashes += "\n"
	}
	path, err := ParseHashes(hashes)
	if p.Path = path; err != nil || p.String() != text {
		return p, bad
	}
	return p, nil
}

// Check returns the checkpoint if the key has signed it and its tree has the leaf.
func (p Proof) Check(l Leaf, key note.Verifier) (Checkpoint, error) {
	c, err := OpenCheckpoint(p.Checkpoint, key)
	if err != nil {
		return c, err
	}
	if p.Index < 0 || p.Index >= c.N || tlog.CheckRecord(p.Path, c.N, c.Hash, p.Index, l.Sum()) != nil {
		return c, fmt.Errorf("the log does not have %s at %d", l.Fact(), p.Index)
	}
	return c, nil
}

// Hashes writes hashes, one in base64 on each line.
func Hashes(all []tlog.Hash) string {
	text := ""
	for _, h := range all {
		text += h.String() + "\n"
	}
	return text
}

// ParseHashes reads what Hashes returns. The most hashes that a proof can have are 126.
func ParseHashes(text string) (all []tlog.Hash, err error) {
	for line := range strings.Lines(text) {
		h, err := tlog.ParseHash(strings.TrimSuffix(line, "\n"))
		if all = append(all, h); err != nil || len(all) > 126 {
			return nil, errors.New("it is not a list of hashes")
		}
	}
	return all, nil
}
