package tournament

import (
	"encoding/json"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/action"
)

// PeopleChanged is the audit record of an action about players: the parts that changed, before and after.
type PeopleChanged struct {
	Was peopleNoted `json:"was,omitzero"`
	Is  peopleNoted `json:"is,omitzero"`
}

// Before describes the parts before the change.
func (c PeopleChanged) Before() []action.Phrase { return c.Was.phrases(c.Is.Settings) }

// After describes the parts after the change.
func (c PeopleChanged) After() []action.Phrase { return c.Is.phrases(c.Was.Settings) }

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
		Name   string        `json:"name"`
		Round  int           `json:"round"`
		Reason string        `json:"reason"`
		Charge score.Twelfth `json:"charge,omitempty"`
	}
	standInNoted struct {
		Person string `json:"person,omitempty"` // empty: the entry's own player
		Name   string `json:"name"`
		Round  int    `json:"round"`
		Game   int    `json:"game"`
	}
)

// Noted returns one side of a change, as Against returns it, in the form for the audit record. other is the other side;
// whole supplies the names.
func (p PeopleState) Noted(whole, other PeopleState) (n peopleNoted) {
	for id, one := range PartsOf[PlayerPart](p, "player") {
		name := whole.Name(id)
		if rest := other.Player(id); rest.Number != 0 && rest.PlayerWho != one.PlayerWho {
			name = one.PlayerWho.String()
		}
		n.Players = append(n.Players, playerNoted{one.Number, name, one.State, one.Gone, one.Fixed, one.Drawn})
	}
	for _, t := range PartsOf[TablePart](p, "table") {
		names := make([]string, len(t.Players))
		for i, id := range t.Players {
			names[i] = whole.Name(id)
		}
		n.Tables = append(n.Tables, tableNoted{t.Of, t.Number, names})
	}
	for _, m := range PartsOf[MissedRound](p, "missed") {
		n.Missed = append(n.Missed, missedNoted{whole.Name(m.PlayerID), m.Round, m.Reason, m.Charge})
	}
	for _, s := range PartsOf[StandInPart](p, "stand_in") {
		n.StandIns = append(n.StandIns, standInNoted{s.Name, whole.Name(s.PlayerID), s.Round, s.Game})
	}
	for number := range PartsOf[string](p, "closed") {
		n.Closed = append(n.Closed, int(number))
	}
	for _, set := range PartsOf[SettingsPart](p, "settings") {
		n.Settings = (*PeopleSettingsOf)(&set)
	}
	return n
}

// Player returns a player's part.
func (p PeopleState) Player(id int64) (one PlayerPart) {
	p.Read("player/"+strconv.FormatInt(id, 10), &one)
	return one
}

// Name returns a player's displayed name.
func (p PeopleState) Name(id int64) string {
	name := p.Player(id).Name
	p.Read("shown/"+strconv.FormatInt(id, 10), &name)
	return name
}

// phrases describes the parts. For the settings it describes only the differences from otherwise, or nothing if that is
// nil.
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

// WithdrawnAt returns, by start number, whether players had left the tournament before at. It contains only players
// whose state has changed since. For a finished tournament the moment is its end at the latest: players who leave
// afterwards must not change its places, its cuts or the qualification.
func WithdrawnAt(db *gorm.DB, t Tournament, at engine.Millis) (map[int]bool, error) {
	var end int64
	if t.Status == StatusFinished {
		err := db.Model(&action.Record{}).Where("tournament_id = ? AND action = ?", t.ID,
			FinishEventKind.Name).Select("coalesce(max(id), 0)").Scan(&end).Error
		if err != nil {
			return nil, err
		}
	}
	if at == Always && end == 0 {
		return nil, nil
	}
	since := db.Where("at >= ?", at)
	if end > 0 {
		since = since.Or("id > ?", end)
	}
	var records []action.Record
	err := db.Select("action", "about", "data").Where("tournament_id = ? AND (action = ? OR action LIKE 'people.%')",
		t.ID, RuledOut).
		Where(since).Order("id").Find(&records).Error
	out := map[int]bool{}
	note := func(number int, left bool) {
		if _, noted := out[number]; !noted {
			out[number] = left
		}
	}
	for _, r := range records {
		if r.Kind == RuledOut {
			var on action.About
			var step action.Step
			if json.Unmarshal([]byte(r.AboutJSON), &on) == nil && json.Unmarshal([]byte(r.Data), &step) == nil {
				note(on.Player, step.Was == "true")
			}
			continue
		}
		var changed PeopleChanged
		if json.Unmarshal([]byte(r.Data), &changed) != nil {
			continue // this kind of record changes no player's state
		}
		for _, p := range changed.Was.Players {
			note(p.Number, p.State != "" && p.State != StateWaiting && !Player{State: p.State}.Plays())
		}
	}
	return out, err
}
