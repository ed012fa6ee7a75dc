// Package transparency defines the log of a tournament that anyone can check: its leaves, its Merkle tree, its signed
// checkpoints and its proofs. The formats are those of C2SP (tlog-tiles, tlog-checkpoint, tlog-cosignature,
// tlog-proof); data/record/log.md specifies all of it. The package has no database and no network.
package transparency

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Kind is the kind of fact that a leaf stands for.
type Kind string

// The kinds of leaves. Kinds are permanent: kinds may be added, none changes its meaning.
const (
	// KindLog refers to the last checkpoint of the earlier log of the same tournament, after a copy of the database was
	// restored. It can only be the first leaf. Of is the size of that checkpoint, and Hash is its root.
	KindLog Kind = "log"
	// KindRecord is a record of an official's action. Of is its number within the tournament, from 1.
	KindRecord Kind = "record"
	// KindDeal is the commitment to a deal of the game Of, in the event Seq of its log.
	KindDeal Kind = "deal"
	// KindRuling is the event Seq of the log of the game Of, in which an official rules.
	KindRuling Kind = "ruling"
	// KindShuffle is the server's commitment to its secret in the shuffles of the game Of, made before the first deal. Seq
	// counts the commitments of the game from 1.
	KindShuffle Kind = "shuffle"
	// KindStandings is the standings that the public sees, after round Seq. Of counts the standings from 1. The hash is the
	// root of the tree of their rows; see RowsTree.
	KindStandings Kind = "standings"
	// KindGame is a finished game. Of is its number, and Seq is the last event of its log.
	KindGame Kind = "game"
)

// Leaf is an entry of the log: a fact, represented by its hash. It contains no text that may be erased.
type Leaf struct {
	Kind Kind
	Of   int64
	Seq  int    // 0 for the kinds with one number
	Hash string // SHA-256 in lower-case hex
}

// numbered reports whether the leaves of the kind have two numbers.
func (k Kind) numbered() bool {
	return k == KindDeal || k == KindRuling || k == KindGame || k == KindShuffle || k == KindStandings
}

func (k Kind) known() bool { return k == KindLog || k == KindRecord || k.numbered() }

// String returns the bytes that the log hashes: the kind, the numbers and the hash, separated by spaces.
func (l Leaf) String() string {
	if l.Kind.numbered() {
		return fmt.Sprintf("%s %d %d %s", l.Kind, l.Of, l.Seq, l.Hash)
	}
	return fmt.Sprintf("%s %d %s", l.Kind, l.Of, l.Hash)
}

// Fact describes the fact in errors.
func (l Leaf) Fact() string {
	switch l.Kind {
	case KindLog:
		return fmt.Sprintf("the earlier log with %d leaves", l.Of)
	case KindRecord:
		return fmt.Sprintf("record %d", l.Of)
	case KindDeal:
		return fmt.Sprintf("game %d: the deal of event %d", l.Of, l.Seq)
	case KindShuffle:
		return fmt.Sprintf("game %d: the commitment %d to its shuffle", l.Of, l.Seq)
	case KindStandings:
		return fmt.Sprintf("the standings after round %d", l.Seq)
	case KindRuling:
		return fmt.Sprintf("game %d: the ruling of event %d", l.Of, l.Seq)
	}
	return fmt.Sprintf("game %d: the log of %d events", l.Of, l.Seq)
}

// ParseLeaf reads what String returns. It rejects every other spelling.
func ParseLeaf(text string) (l Leaf, err error) {
	fields := strings.Split(text, " ")
	bad := fmt.Errorf("%.100q is not a leaf", text)
	l.Kind = Kind(fields[0])
	numbers := 1
	if l.Kind.numbered() {
		numbers = 2
	}
	if !l.Kind.known() || len(fields) != numbers+2 {
		return l, bad
	}
	if l.Of, err = strconv.ParseInt(fields[1], 10, 64); err != nil || l.Of < 1 && l.Kind != KindLog || l.Of < 0 {
		return l, bad
	}
	if numbers == 2 {
		if l.Seq, err = strconv.Atoi(fields[2]); err != nil || l.Seq < 1 {
			return l, bad
		}
	}
	l.Hash = fields[len(fields)-1]
	if sum, err := hex.DecodeString(l.Hash); err != nil || len(sum) != tlog.HashSize ||
		l.Hash != hex.EncodeToString(sum) || l.String() != text {
		return l, bad
	}
	return l, nil
}

// Sum returns the hash of the leaf in the tree (RFC 6962, 2.1).
func (l Leaf) Sum() tlog.Hash { return tlog.RecordHash([]byte(l.String())) }
