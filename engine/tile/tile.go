// Package tile defines the 106 tiles of the game, their faces, their notation (engine/RULES.md section 1) and the sets
// (section 2). The rules engine and the exact search both import it. It imports no other package of the module.
package tile

import "math"

// Tile is one physical tile, 0 to 105. Tiles 0–51 are the first copies of the 52 numbered faces, 52–103 the second
// copies, and 104 and 105 the jokers. The rules use faces only. The copy makes it possible to check that each tile is
// in exactly one place.
type Tile uint8

// Face is what is printed on a tile: 0–51 is colour*13 + number-1, 52 is the joker.
type Face uint8

// Colour is one of the four colours, in the order black, red, blue, orange.
type Colour uint8

// The four colours; their letters are K, R, B, O.
const (
	Black Colour = iota
	Red
	Blue
	Orange
)

const (
	// Count is the number of tiles in the game.
	Count = 106
	// Faces is the number of different faces, the joker included.
	Faces = 53
	// Joker is the face of both jokers.
	Joker Face = 52
	// Highest is the highest number on a tile.
	Highest = 13
)

// NewFace returns the face of a colour and a number from 1 to 13.
func NewFace(c Colour, number int) Face { return Face(int(c)*Highest + number - 1) }

// Face returns the face printed on the tile.
func (t Tile) Face() Face {
	if t >= 104 {
		return Joker
	}
	return Face(t % 52)
}

// Copy returns 0 for the first copy of a face and 1 for the second.
func (t Tile) Copy() int {
	if t >= 104 {
		return int(t - 104)
	}
	return int(t / 52)
}

// Of returns the tile of a face and a copy (0 or 1).
func Of(f Face, copy int) Tile {
	if f == Joker {
		return Tile(104 + copy)
	}
	return Tile(int(f) + 52*copy)
}

// IsJoker reports whether the face is the joker.
func (f Face) IsJoker() bool { return f == Joker }

// Colour returns the colour of a numbered face. It is meaningless for the joker.
func (f Face) Colour() Colour { return Colour(f / Highest) }

// Number returns the number of a face, 1 to 13, or 0 for the joker.
func (f Face) Number() int {
	if f == Joker {
		return 0
	}
	return int(f%Highest) + 1
}

// All returns the 106 tiles in order.
func All() []Tile {
	all := make([]Tile, Count)
	for i := range all {
		all[i] = Tile(i)
	}
	return all
}

// FacesOf returns the faces of tiles, in the same order.
func FacesOf(tiles []Tile) []Face {
	faces := make([]Face, len(tiles))
	for i, t := range tiles {
		faces[i] = t.Face()
	}
	return faces
}

// Counts is a multiset of faces: the number of tiles of each face, with the joker last.
type Counts [Faces]uint8

// CountFaces returns the multiset of the faces. A count stops at 255, so that a hostile table of hundreds of tiles is
// never taken for a small one.
func CountFaces(faces ...[]Face) Counts {
	var c Counts
	for _, fs := range faces {
		for _, f := range fs {
			if c[f] < math.MaxUint8 {
				c[f]++
			}
		}
	}
	return c
}

// Total returns the number of tiles in the multiset.
func (c Counts) Total() int {
	n := 0
	for _, k := range c {
		n += int(k)
	}
	return n
}

// Within reports whether d holds every face at least as often as c.
func (c Counts) Within(d Counts) bool {
	for f, k := range c {
		if k > d[f] {
			return false
		}
	}
	return true
}

// Minus returns c without the faces of d, which must be within c.
func (c Counts) Minus(d Counts) Counts {
	for f, k := range d {
		c[f] -= k
	}
	return c
}

// List returns the faces of the multiset in face order.
func (c Counts) List() []Face {
	list := make([]Face, 0, c.Total())
	for f, k := range c {
		for range k {
			list = append(list, Face(f))
		}
	}
	return list
}
