package textrecord

import (
	"encoding/json"
	"strings"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// The words for tables with real tiles.

func readStarter(_ *replay, c *cursor, m *move) {
	m.command = engine.ChooseStarter{Seat: c.seat()}
}

func readEnd(r *replay, c *cursor, m *move) {
	seat, turn := r.toMove(m)
	e := engine.EndTurn{Seat: seat, Turn: turn}
	e.Opened, e.Passed, e.Out = c.take("opened"), c.take("passed"), c.take("out")
	m.command = e
}

func endText(e engine.TurnEnded) string {
	text := "end"
	for _, part := range []struct {
		is   bool
		name string
	}{{e.Opened, " opened"}, {e.Passed, " passed"}, {e.Out, " out"}} {
		if part.is {
			text += part.name
		}
	}
	return text
}

func readEmpty(_ *replay, c *cursor, m *move) {
	m.command = engine.PoolEmptied{Seat: c.seat()}
}

// readCount reads how the game ended, and the rack or the points of each seat.
func readCount(_ *replay, c *cursor, m *move) {
	count := engine.CountRacks{Why: c.next().text}
	points := c.take("points")
	if points {
		count.Lowest = c.valueNumber("lowest", 0)
	}
	for c.take("|") && len(count.Racks)+len(count.Totals) < 4 {
		opened := c.take("opened")
		if !points {
			able := c.take("able")
			count.Racks = append(count.Racks, engine.CountedRack{Tiles: tile.FacesOf(c.tiles()), Opened: opened,
				Able: able})
			continue
		}
		total := engine.CountedTotal{Opened: opened, Won: c.take("won")}
		w := c.next()
		if total.Points = pointsIn(w.text); w.text == "" || pointsText(total.Points) != w.text {
			c.expected(w, "points such as -21 or 76.5")
		}
		count.Totals = append(count.Totals, total)
	}
	m.command = count
}

func pointsIn(text string) (points score.Twelfth) {
	if json.Unmarshal([]byte(text), &points) != nil {
		return 0
	}
	return points
}

func pointsText(points score.Twelfth) string { return string(marshal(points)) }

func countText(e engine.RacksCounted) string {
	if len(e.Opened) < len(e.Racks) || e.Able != nil && len(e.Able) < len(e.Racks) {
		return ""
	}
	count := e.Command()
	var text strings.Builder
	text.WriteString("count " + count.Why)
	if len(count.Totals) > 0 {
		text.WriteString(" points")
		if count.Lowest != 0 {
			text.WriteString(" lowest=" + itoa(count.Lowest))
		}
	}
	flag := func(is bool, name string) {
		if is {
			text.WriteString(name)
		}
	}
	for _, total := range count.Totals {
		text.WriteString(" |")
		flag(total.Opened, " opened")
		flag(total.Won, " won")
		text.WriteString(" " + pointsText(total.Points))
	}
	for _, rack := range count.Racks {
		text.WriteString(" |")
		flag(rack.Opened, " opened")
		flag(rack.Able, " able")
		text.WriteString(facesList(rack.Tiles))
	}
	return text.String()
}

// facesList writes faces, each after a space.
func facesList(faces []tile.Face) string {
	var text strings.Builder
	for _, f := range faces {
		text.WriteString(" " + f.String())
	}
	return text.String()
}
