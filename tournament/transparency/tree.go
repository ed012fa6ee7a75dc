package transparency

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// tileHeight is the height of the tiles of C2SP tlog-tiles: 256 hashes.
const tileHeight = 8

// Tree is the Merkle tree over leaves, in memory. The zero value is empty. A Tree never changes: Append returns another
// one, which shares the hashes.
type Tree struct {
	size   int64
	hashes []tlog.Hash // in the order of tlog.StoredHashIndex
}

// Size returns the number of leaves.
func (t Tree) Size() int64 { return t.size }

// ReadHashes implements tlog.HashReader.
func (t Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("the tree of %d leaves has no hash %d", t.size, at)
		}
		found[i] = t.hashes[at]
	}
	return found, nil
}

// Append returns the tree with more leaves.
func (t Tree) Append(leaves ...Leaf) Tree {
	sums := make([]tlog.Hash, len(leaves))
	for i, l := range leaves {
		sums[i] = l.Sum()
	}
	return t.append(sums)
}

// RowsTree returns the tree over the rows of standings.
func RowsTree(rows []string) (t Tree) {
	sums := make([]tlog.Hash, len(rows))
	for i, row := range rows {
		sums[i] = tlog.RecordHash([]byte(row))
	}
	return t.append(sums)
}

// append returns the tree with the hashes of more leaves.
func (t Tree) append(sums []tlog.Hash) Tree {
	t.hashes = slices.Clip(t.hashes)
	for _, sum := range sums {
		more, err := tlog.StoredHashesForRecordHash(t.size, sum, t)
		if err != nil {
			panic(err) // the tree has all its hashes
		}
		t.hashes = append(t.hashes, more...)
		t.size++
	}
	return t
}

// Root returns the root of the first size leaves.
func (t Tree) Root(size int64) (tlog.Hash, error) {
	if size < 0 || size > t.size {
		return tlog.Hash{}, fmt.Errorf("the tree has %d leaves, not %d", t.size, size)
	}
	return tlog.TreeHash(size, t)
}

// Head returns the whole tree's size and root.
func (t Tree) Head() tlog.Tree {
	root, err := t.Root(t.size)
	if err != nil {
		panic(err) // the tree has all its hashes
	}
	return tlog.Tree{N: t.size, Hash: root}
}

// Consistency returns the proof that the tree of size to continues the tree of size from (RFC 6962, 2.1.2).
func (t Tree) Consistency(from, to int64) (tlog.TreeProof, error) {
	if from < 1 || from > to || to > t.size {
		return nil, fmt.Errorf("no proof from %d to %d in a tree of %d leaves", from, to, t.size)
	}
	return tlog.ProveTree(to, from, t)
}

// Inclusion returns the proof that the tree of a size has the leaf at index (RFC 6962, 2.1.1).
func (t Tree) Inclusion(index, size int64) (tlog.RecordProof, error) {
	if index < 0 || index >= size || size > t.size {
		return nil, fmt.Errorf("no proof of leaf %d in a tree of %d leaves", index, t.size)
	}
	return tlog.ProveRecord(size, index, t)
}

// Tile is the address of a tile of hashes, or of entries: those of the leaves From to Until.
type Tile struct {
	tlog.Tile
	Entries     bool
	From, Until int64
}

// ParseTile reads the part of a tile's address after tile/, such as 0/x001/067.p/8 or entries/000.
func ParseTile(path string) (Tile, error) {
	level, rest, _ := strings.Cut(path, "/")
	entries := level == "entries"
	if entries {
		level = "data"
	} else if level == "data" {
		return Tile{}, fmt.Errorf("%.50q is not a tile", path)
	}
	t, err := tlog.ParseTilePath(fmt.Sprintf("tile/%d/%s/%s", tileHeight, level, rest))
	if err != nil {
		return Tile{}, fmt.Errorf("%.50q is not a tile", path)
	}
	from := t.N << tileHeight
	return Tile{Tile: t, Entries: entries, From: from, Until: from + int64(t.W)}, nil
}

// Data returns the hashes of a tile that is not one of entries.
func (t Tree) Data(at Tile) ([]byte, error) {
	if at.L < 0 || at.L > 7 || at.Until<<(tileHeight*at.L) > t.size {
		return nil, fmt.Errorf("the tree of %d leaves has no tile %s", t.size, at.Path())
	}
	return tlog.ReadTileData(at.Tile, t)
}

// TileAddress returns the part of the address after tile/ of the bundle with the entries from the start of a tile to
// before until.
func TileAddress(number, until int64) string {
	t := tlog.Tile{H: tileHeight, L: -1, N: number, W: int(min(until-number<<tileHeight, 1<<tileHeight))}
	return "entries" + strings.TrimPrefix(t.Path(), fmt.Sprintf("tile/%d/data", tileHeight))
}

// TileWidth is the number of leaves of a full tile.
const TileWidth = 1 << tileHeight

// ParseBundle reads what Bundle returns.
func ParseBundle(data []byte) (leaves []Leaf, err error) {
	for len(data) > 0 {
		n := 0
		if len(data) >= 2 {
			n = int(data[0])<<8 | int(data[1])
		}
		if n == 0 || len(data) < 2+n {
			return nil, errors.New("it is not a bundle of entries")
		}
		l, err := ParseLeaf(string(data[2 : 2+n]))
		if err != nil {
			return nil, err
		}
		leaves, data = append(leaves, l), data[2+n:]
	}
	return leaves, nil
}

// Bundle encodes leaves as a bundle of entries: each after its length in two bytes, the higher one first.
func Bundle(leaves []Leaf) (data []byte) {
	for _, l := range leaves {
		text := l.String()
		data = append(append(data, byte(len(text)>>8), byte(len(text))), text...)
	}
	return data
}
