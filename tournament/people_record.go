package tournament

import (
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/action"
)

// peopleChanged is the audit record of an action about players: the parts that changed, before and after.
type peopleChanged struct {
	Was peopleNoted `json:"was,omitzero"`
	Is  peopleNoted `json:"is,omitzero"`
}

// Before describes the parts before the change.
func (c peopleChanged) Before() []action.Phrase { return c.Was.phrases(c.Is.Settings) }

// After describes the parts after the change.
func (c peopleChanged) After() []action.Phrase { return c.Is.phrases(c.Was.Settings) }

// peopleNoted is the changed part of a tournament's people, with the names of that time.
type peopleNoted struct {
	Players  []playerNoted     `json:"players,omitempty"`
	Tables   []tableNoted      `json:"tables,omitempty"`
	Missed   []missedNoted     `json:"missed,omitempty"`
	StandIns []standInNoted    `json:"stand_ins,omitempty"`
	Closed   []int             `json:"closed,omitempty"` // tables out of service
	Settings *PeopleSettingsOf `json:"settings,omitempty"`
}

type (
	playerNoted struct {
		Number int    `json:"number"`
		Name   string `json:"name"` // with country and club if they changed
		State  string `json:"state"`
		Gone   bool   `json:"gone,omitempty"`
		Fixed  int    `json:"fixed_table,omitempty"`
		Drawn  int    `json:"drawn,omitempty"`
	}
	tableNoted struct {
		Round   int      `json:"round"`
		Table   int      `json:"table"`
		Players []string `json:"players"` // in seat order
	}
	missedNoted struct {
		Name   string         `json:"name"`
		Round  int            `json:"round"`
		Reason string         `json:"reason"`
		Charge engine.Twelfth `json:"charge,omitempty"`
	}
	standInNoted struct {
		Person string `json:"person,omitempty"` // empty: the entry's own player
		Name   string `json:"name"`
		Round  int    `json:"round"`
		Game   int    `json:"game"`
	}
)

// noted returns the parts of a state that differ from other; whole supplies all names.
func (p peopleState) noted(whole, other peopleState) (n peopleNoted) {
	for id, one := range partsOf[playerPart](p, "player") {
		name := whole.name(id)
		if rest := other.player(id); rest.Number != 0 && rest.playerWho != one.playerWho {
			name = one.playerWho.String()
		}
		n.Players = append(n.Players, playerNoted{one.Number, name, one.State, one.Gone, one.Fixed, one.Drawn})
	}
	for _, t := range partsOf[tablePart](p, "table") {
		names := make([]string, len(t.Players))
		for i, id := range t.Players {
			names[i] = whole.name(id)
		}
		n.Tables = append(n.Tables, tableNoted{t.Of, t.Number, names})
	}
	for _, m := range partsOf[MissedRound](p, "missed") {
		n.Missed = append(n.Missed, missedNoted{whole.name(m.PlayerID), m.Round, m.Reason, m.Charge})
	}
	for _, s := range partsOf[standInPart](p, "stand_in") {
		n.StandIns = append(n.StandIns, standInNoted{s.Name, whole.name(s.PlayerID), s.Round, s.Game})
	}
	for number := range partsOf[string](p, "closed") {
		n.Closed = append(n.Closed, int(number))
	}
	for _, set := range partsOf[settingsPart](p, "settings") {
		n.Settings = (*PeopleSettingsOf)(&set)
	}
	return n
}

// player returns a player's part.
func (p peopleState) player(id int64) (one playerPart) {
	p.read("player/"+strconv.FormatInt(id, 10), &one)
	return one
}

// name returns a player's displayed name.
func (p peopleState) name(id int64) string {
	name := p.player(id).Name
	p.read("shown/"+strconv.FormatInt(id, 10), &name)
	return name
}

// addPlaces adds the changed players and tables to on.
func addPlaces(on *action.About, was, is, whole peopleState) {
	add := func(list *[]int, n, not int) {
		if n != 0 && n != not && !slices.Contains(*list, n) {
			*list = append(*list, n)
		}
	}
	var seated []int64
	for _, key := range keysOf(was, is) {
		for _, p := range []peopleState{was, is} {
			var one playerPart
			var t tablePart
			switch {
			case strings.HasPrefix(key, "player/") && p.read(key, &one):
				add(&on.Players, one.Number, on.Player)
			case strings.HasPrefix(key, "table/") && p.read(key, &t):
				add(&on.Tables, t.Number, on.Table)
				add(&on.Rounds, t.Of, on.Round)
				seated = append(seated, t.Players...)
			}
		}
	}
	for _, id := range seated {
		add(&on.Players, whole.player(id).Number, on.Player)
	}
}

// phrases describes the parts; for the settings, only the differences from otherwise.
func (n peopleNoted) phrases(otherwise *PeopleSettingsOf) (said []action.Phrase) {
	for _, p := range n.Players {
		said = append(said, p.phrase())
	}
	for _, t := range n.Tables {
		names := make([]action.Phrase, len(t.Players))
		for i, name := range t.Players {
			names[i] = action.Tell(action.Person(name))
		}
		said = append(said, action.Say("log.is.table", "round", action.Say("round.title", "number", t.Round), "table",
			action.Say("table.title", "number", t.Table), "names", names))
	}
	for _, m := range n.Missed {
		said = append(said, m.phrase())
	}
	for _, s := range n.StandIns {
		said = append(said, s.phrase())
	}
	for _, number := range n.Closed {
		said = append(said, action.Say("people.effect.table_closed", "table", number))
	}
	if n.Settings != nil && otherwise != nil {
		said = append(said, n.Settings.phrase(*otherwise))
	}
	return said
}

func (p playerNoted) phrase() action.Phrase {
	said := []action.Phrase{action.Say("log.is.person", "number", p.Number, "name", action.Person(p.Name), "state",
		action.Word("people.state."+p.State))}
	if p.Drawn > 0 {
		said = append(said, action.Say("log.is.drawn", "number", p.Drawn))
	}
	if p.Fixed > 0 {
		said = append(said, action.Say("log.is.fixed", "table", p.Fixed))
	}
	return action.Tell(said)
}

func (m missedNoted) phrase() action.Phrase {
	text := action.Say("people.missed."+m.Reason+".none", "round", m.Round)
	if m.Charge != 0 {
		text = action.Say("people.missed."+m.Reason, "round", m.Round, "points", m.Charge)
	}
	return action.Say("log.is.of", "name", action.Person(m.Name), "text", text)
}

func (s standInNoted) phrase() action.Phrase {
	if s.Person == "" {
		return action.Say("people.effect.returns", "name", action.Person(s.Name), "round", s.Round, "game", s.Game)
	}
	return action.Say("log.is.stand_in", "person", action.Person(s.Person), "name", action.Person(s.Name), "round",
		s.Round, "game", s.Game)
}
