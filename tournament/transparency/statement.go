package transparency

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Statement is the fact that a proof on paper shows, carried in the proof's extra data: a leaf, or one row of the
// standings in a leaf. With a row, the hash of the leaf follows from the row and its path.
type Statement struct {
	Leaf Leaf
	Row  *RowProof
}

// RowProof shows that standings have a row.
type RowProof struct {
	Row         string
	Index, Size int64
	Path        tlog.RecordProof
}

// errStatement rejects extra data that is not a statement.
var errStatement = errors.New("the proof does not say what it is about")

// Extra encodes the statement: the leaf on a line; with a row, the leaf without its hash, the row after its position
// and the number of rows, and the bytes of the path.
func (s Statement) Extra() []byte {
	if s.Row == nil {
		return []byte(s.Leaf.String() + "\n")
	}
	data := fmt.Appendf(nil, "%s\nrow %d %d %s\n", strings.TrimSuffix(s.Leaf.String(), " "+s.Leaf.Hash), s.Row.Index,
		s.Row.Size, s.Row.Row)
	for _, h := range s.Row.Path {
		data = append(data, h[:]...)
	}
	return data
}

// ParseStatement reads what Extra returns.
func ParseStatement(extra []byte) (s Statement, err error) {
	leaf, rest, found := strings.Cut(string(extra), "\n")
	if !found {
		return s, errStatement
	}
	if rest == "" {
		s.Leaf, err = ParseLeaf(leaf)
		return s, err
	}
	line, path, _ := strings.Cut(rest, "\n")
	fields := strings.SplitN(line, " ", 4)
	if len(fields) != 4 || fields[0] != "row" || len(path)%tlog.HashSize != 0 || len(path) > 64*tlog.HashSize {
		return s, errStatement
	}
	row := &RowProof{Row: fields[3]}
	var bad [2]error
	row.Index, bad[0] = strconv.ParseInt(fields[1], 10, 64)
	row.Size, bad[1] = strconv.ParseInt(fields[2], 10, 64)
	if errors.Join(bad[:]...) != nil || row.Index < 0 || row.Index >= row.Size {
		return s, errStatement
	}
	for ; path != ""; path = path[tlog.HashSize:] {
		row.Path = append(row.Path, tlog.Hash([]byte(path[:tlog.HashSize])))
	}
	root, err := rootOf(row.Path, 0, row.Size, row.Index, tlog.RecordHash([]byte(row.Row)))
	if err != nil {
		return s, err
	}
	if s.Leaf, err = ParseLeaf(leaf + " " + hex.EncodeToString(root[:])); err != nil {
		return s, err
	}
	s.Row = row
	if s.Leaf.Kind != KindStandings || string(s.Extra()) != string(extra) {
		return s, errStatement
	}
	return s, nil
}

// rootOf returns the root of the tree over the leaves low to before high that follows from the leaf at index and its
// path (RFC 6962, 2.1.1).
func rootOf(path tlog.RecordProof, low, high, index int64, leaf tlog.Hash) (tlog.Hash, error) {
	if high-low == 1 && len(path) == 0 {
		return leaf, nil
	}
	if high-low == 1 || len(path) == 0 {
		return leaf, errStatement
	}
	k := int64(1)
	for k*2 < high-low {
		k *= 2
	}
	sibling, path := path[len(path)-1], path[:len(path)-1]
	if index < low+k {
		root, err := rootOf(path, low, low+k, index, leaf)
		return tlog.NodeHash(root, sibling), err
	}
	root, err := rootOf(path, low+k, high, index, leaf)
	return tlog.NodeHash(sibling, root), err
}

// Open reads a proof whose extra data is a statement. It returns the statement and the checkpoint if the key has signed
// it and its tree has the statement's leaf.
func (p Proof) Open(key note.Verifier) (s Statement, c Checkpoint, err error) {
	if s, err = ParseStatement(p.Extra); err != nil {
		return s, c, err
	}
	c, err = p.Check(s.Leaf, key)
	return s, c, err
}

// extraLine returns the line of a proof with its extra data, empty without any.
func extraLine(extra []byte) string {
	if len(extra) == 0 {
		return ""
	}
	return "extra " + base64.StdEncoding.EncodeToString(extra) + "\n"
}
