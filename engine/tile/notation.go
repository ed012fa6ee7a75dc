package tile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

const letters = "KRBO"

var (
	faceText, tileText = texts()
	faceByText         = byText(faceText)
)

func texts() (faces [Faces]string, tiles [Count]string) {
	for f := range faces {
		faces[f] = "J"
		if Face(f) != Joker {
			faces[f] = string(letters[Face(f).Colour()]) + strconv.Itoa(Face(f).Number())
		}
	}
	for t := range tiles {
		tiles[t] = faces[Tile(t).Face()] + strings.Repeat("'", Tile(t).Copy())
	}
	return faces, tiles
}

func byText(texts [Faces]string) map[string]Face {
	faces := make(map[string]Face, len(texts))
	for f, text := range texts {
		faces[text] = Face(f)
	}
	return faces
}

// String formats the face as in engine/RULES.md section 1: K black, R red, B blue, O orange, J joker.
func (f Face) String() string {
	if int(f) >= Faces {
		return fmt.Sprintf("Face(%d)", uint8(f))
	}
	return faceText[f]
}

// String formats the tile as its face, with an apostrophe on the second copy: R7 and R7'. Only logs show copies;
// players see faces.
func (t Tile) String() string {
	if int(t) >= Count {
		return fmt.Sprintf("Tile(%d)", uint8(t))
	}
	return tileText[t]
}

// ParseFace parses a face such as R7 or J. Y is parsed as O. The error contains the text.
func ParseFace(s string) (Face, error) {
	if s == "J" {
		return Joker, nil
	}
	if len(s) >= 2 && len(s) <= 3 && s[1] != '0' {
		c := strings.IndexByte(letters, s[0])
		if s[0] == 'Y' {
			c = int(Orange)
		}
		n, err := strconv.ParseUint(s[1:], 10, 8)
		if c >= 0 && err == nil && n <= Highest {
			return NewFace(Colour(c), int(n)), nil
		}
	}
	return 0, fmt.Errorf("%q is not a tile: a colour letter K, R, B or O and a number 1 to 13, or J", s)
}

// ParseFaces parses faces separated by spaces.
func ParseFaces(s string) ([]Face, error) {
	fields := strings.Fields(s)
	faces := make([]Face, len(fields))
	for i, field := range fields {
		f, err := ParseFace(field)
		if err != nil {
			return nil, err
		}
		faces[i] = f
	}
	return faces, nil
}

// MarshalText writes the face in the notation, so that JSON shows "R7".
func (f Face) MarshalText() ([]byte, error) {
	if int(f) >= Faces {
		return nil, fmt.Errorf("face %d does not exist", uint8(f))
	}
	return []byte(faceText[f]), nil
}

// UnmarshalText parses the notation.
func (f *Face) UnmarshalText(text []byte) error {
	parsed, err := ParseFace(string(text))
	if err != nil {
		return err
	}
	*f = parsed
	return nil
}

// List is a sequence of physical tiles. It is written as one text, "R4 J' R6", which is compact in the log and readable
// for people.
type List []Tile

// MarshalText writes the tiles separated by spaces.
func (l List) MarshalText() ([]byte, error) {
	text := make([]byte, 0, 4*len(l))
	for i, t := range l {
		if int(t) >= Count {
			return nil, fmt.Errorf("tile %d does not exist", uint8(t))
		}
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, tileText[t]...)
	}
	return text, nil
}

// UnmarshalText parses what MarshalText writes.
func (l *List) UnmarshalText(text []byte) error {
	*l = nil
	all := string(text)
	for field := range strings.FieldsSeq(all) {
		second := strings.HasSuffix(field, "'")
		f, err := ParseFace(strings.TrimSuffix(field, "'"))
		if err != nil {
			return err
		}
		t := Of(f, 0)
		if second {
			t = Of(f, 1)
		}
		if *l == nil {
			*l = make(List, 0, min(strings.Count(all, " ")+1, Count))
		}
		*l = append(*l, t)
	}
	return nil
}

// ErrTooMany is the error for a face that is named more often than it exists in the game.
var ErrTooMany = errors.New("more copies of a tile than the game has")

// CheckCounts returns an error for a multiset with more than two of any face. The error names the face.
func CheckCounts(c Counts) error {
	for f, k := range c {
		if k > 2 {
			return fmt.Errorf("%d times %s: %w", k, Face(f), ErrTooMany)
		}
	}
	return nil
}

// FaceList is a sequence of faces. Its JSON form is an array such as ["R4","J","R6"].
type FaceList []Face

// MarshalJSON writes the list without reflection, because it is on the path of every update.
func (l FaceList) MarshalJSON() ([]byte, error) {
	return l.AppendJSON(make([]byte, 0, 6*len(l)+2))
}

// AppendJSON appends the list's JSON to text.
func (l FaceList) AppendJSON(text []byte) ([]byte, error) {
	text = append(text, '[')
	for i, f := range l {
		if int(f) >= Faces {
			return nil, fmt.Errorf("face %d does not exist", uint8(f))
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, '"')
		text = append(text, faceText[f]...)
		text = append(text, '"')
	}
	return append(text, ']'), nil
}

// UnmarshalJSON parses the list without reflection, because it is on the path of every play. Anything but plain strings
// is left to readPlainly, which returns the errors.
func (l *FaceList) UnmarshalJSON(data []byte) error {
	list, rest := (*l)[:0], bytes.TrimSpace(data)
	if len(rest) < 2 || rest[0] != '[' {
		return l.readPlainly(data)
	}
	for rest = rest[1 : len(rest)-1]; ; {
		rest = bytes.TrimLeft(rest, ", \t\r\n")
		if len(rest) == 0 {
			break
		}
		end := bytes.IndexByte(rest[1:], '"') + 1
		if rest[0] != '"' || end < 1 || bytes.IndexByte(rest[:end], '\\') >= 0 {
			return l.readPlainly(data)
		}
		f, ok := faceByText[string(rest[1:end])]
		if !ok {
			parsed, err := ParseFace(string(rest[1:end]))
			if err != nil {
				return err
			}
			f = parsed
		}
		list, rest = append(list, f), rest[end+1:]
	}
	if list == nil {
		list = FaceList{}
	}
	*l = list
	return nil
}

// readPlainly parses a list of texts with encoding/json. It does not decode into faces directly: to encoding/json a
// list of faces is a list of bytes, so it would also accept a base64 string, and null as the face 0.
func (l *FaceList) readPlainly(data []byte) error {
	var texts []*string
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	var list FaceList
	for _, text := range texts {
		if text == nil {
			return errors.New("null is not a tile")
		}
		f, err := ParseFace(*text)
		if err != nil {
			return err
		}
		list = append(list, f)
	}
	*l = list
	return nil
}
