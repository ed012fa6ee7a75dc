package solve_test

import (
	"fmt"
	"math/rand/v2"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// A small position and a question are coded as bytes. Every string of bytes is a valid code, so random bytes and those
// of a fuzzer are too. The code holds: joker rule; aim, keep, joker points; lowest number; width of numbers and
// colours, size of the table; number of table sets; two bytes for each set; then rack tiles. Sets and tiles for which
// the game has no tiles are left out.
const (
	codeHead  = 5
	codeSets  = 6
	codeRack  = 6
	codeBytes = codeHead + 2*codeSets + codeRack
)

func randomCode(random *rand.Rand) []byte {
	code := make([]byte, codeBytes)
	for i := range code {
		code[i] = byte(random.Uint32())
	}
	return code
}

func decodePosition(code []byte) (p solve.Position, q solve.Question) {
	next := func() (b byte) {
		if len(code) > 0 {
			b, code = code[0], code[1:]
		}
		return b
	}
	rule, ask, low, width, sets := int(next()), int(next()), int(next()), int(next()), int(next())
	p.Rules = solve.Rules{WithRackTile: rule&1 == 1, Replace: solve.Replace(rule / 2 % 3),
		JokerPoints: []int{30, 100, 50, 0}[ask/4%4]}
	q = solve.Question{Aim: []solve.Aim{solve.MostTiles, solve.MostValue}[ask%2], Keep: ask/2%2 == 1}
	d := dealer{low: 1 + low%9, span: 3 + width%4, colours: 2 + width/4%3, most: 8 + 2*(width/16%4)}
	for range min(sets%16, codeSets) {
		p.Table = d.lay(p.Table, int(next()), int(next()))
	}
	for i := 0; len(code) > 0 && i < codeRack; i++ {
		b := int(next())
		f := d.face(b, b/16)
		if b >= 230 {
			f = tile.Joker
		}
		if d.take(f) {
			p.Rack[f]++
		}
	}
	return p, q
}

// densePosition returns a position with up to 30 tiles of few faces on the table. The oracle may refuse it.
func densePosition(random *rand.Rand) (p solve.Position, q solve.Question) {
	p, q = decodePosition(randomCode(random)[:2])
	d := dealer{low: 1 + random.IntN(9), span: 4, colours: 4, most: 30}
	for range 14 {
		detail := random.IntN(256)
		if random.IntN(3) > 0 {
			detail %= 8 // no joker
		}
		p.Table = d.lay(p.Table, random.IntN(256), detail)
	}
	for range 5 {
		f := d.face(random.IntN(4), random.IntN(5))
		if random.IntN(12) == 0 {
			f = tile.Joker
		}
		if d.take(f) {
			p.Rack[f]++
		}
	}
	return p, q
}

// dealer hands out the tiles of one small position.
type dealer struct {
	low, span, colours int
	most               int // maximum number of tiles on the table
	out                tile.Counts
	laid               int
}

func (d *dealer) face(colour, number int) tile.Face {
	return tile.NewFace(tile.Colour(colour%d.colours), min(tile.Highest, d.low+number%(d.span+1)))
}

func (d *dealer) take(faces ...tile.Face) bool {
	out := d.out
	for _, f := range faces {
		out[f]++
		if out[f] > 2 {
			return false
		}
	}
	d.out = out
	return true
}

// lay adds a set if its tiles are available and the table stays small. shape codes the kind, colour and number, detail
// the length and jokers.
func (d *dealer) lay(table [][]tile.Face, shape, detail int) [][]tile.Face {
	var set []tile.Face
	if shape%2 == 0 {
		for i := range 3 + detail%4 {
			if n := d.low + shape/8%4 + i; n <= tile.Highest {
				set = append(set, tile.NewFace(tile.Colour(shape/2%d.colours), n))
			}
		}
	} else {
		for i := range 3 + detail%2 {
			set = append(set, tile.NewFace(tile.Colour((shape/2+i)%4), min(tile.Highest, d.low+shape/8%(d.span+1))))
		}
	}
	jokers := d.out[tile.Joker]
	for place := detail / 8; place < 12 && place > 0 && len(set) > 0 && jokers < 2; place /= 4 {
		set[place%len(set)] = tile.Joker
		jokers++
	}
	if !tile.Valid(set) || d.laid+len(set) > d.most || !d.take(set...) {
		return table
	}
	d.laid += len(set)
	return append(table, set)
}

func positionText(p solve.Position, q solve.Question) string {
	aim := "tiles"
	if q.Aim == solve.MostValue {
		aim = "value"
	}
	rules := oracleRules(p.Rules)
	return fmt.Sprintf("%s | %s | %s, %s, joker %d | %s, keep %v", layoutText(p.Table), facesText(p.Rack.List()),
		rules.JokerRelease, rules.JokerReplace, rules.JokerPoints, aim, q.Keep)
}
