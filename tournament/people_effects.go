package tournament

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
)

// place is a seat of an unfinished round.
type place struct{ table, number, seat int }

// effects describes the differences between two states for officials: first players, then seats, then the rest. was and
// is hold the parts that differ; whole holds all players.
func effects(was, is, whole peopleState) []PeopleEffect {
	w := effectWriter{whole: whole}
	for _, key := range keysOf(was, is) {
		if strings.HasPrefix(key, "player/") {
			w.player(keyID(key), key, was, is)
		}
	}
	w.seats(was, is)
	for _, key := range keysOf(was, is) {
		kind, _, _ := strings.Cut(key, "/")
		switch kind {
		case "missed":
			w.missed(key, was, is)
		case "stand_in":
			w.standIn(key, was, is)
		case "shown":
			w.shown(key, was, is)
		case "closed":
			w.add(0, pick(is, key, "table_closed", "table_opened"), "table", keyID(key))
		case "settings":
			w.settings(was, is)
		}
	}
	return w.list
}

type effectWriter struct {
	whole peopleState
	list  []PeopleEffect
}

func (w *effectWriter) add(player int64, key string, nameValues ...any) {
	args := refuse.Args{} // never nil, because API clients get it too
	if player != 0 {
		args["name"] = w.whole.name(player)
	}
	maps.Copy(args, refuse.ArgsOf(nameValues...))
	w.list = append(w.list, PeopleEffect{Key: key, Args: args, Player: player})
}

func pick(p peopleState, key, there, missing string) string {
	if _, ok := p[key]; ok {
		return there
	}
	return missing
}

func (w *effectWriter) player(id int64, key string, was, is peopleState) {
	var before, after playerPart
	had, has := was.read(key, &before), is.read(key, &after)
	switch {
	case !had && after.State == StateWaiting:
		w.add(id, "enters_waiting", "number", after.Number)
	case !had && after.State == StateCheckedIn:
		w.add(id, "enters_here", "number", after.Number)
	case !had:
		w.add(id, "enters", "number", after.Number)
	case !has:
		w.add(id, "is_removed", "number", before.Number)
	case before.State == StateWaiting && after.State == StateRegistered:
		w.add(id, "moves_up")
	case before.State != after.State:
		w.add(id, "becomes_"+after.State)
	}
	if has && had && before.playerWho != after.playerWho {
		w.add(id, "is_written", "before", before.playerWho.String(), "after", after.playerWho.String())
	}
	if has && after.Drawn > 0 && before.Drawn != after.Drawn {
		w.add(id, "drawn", "number", after.Drawn)
	}
	if has && had && before.Fixed != after.Fixed {
		if after.Fixed == 0 {
			w.add(id, "fixed_nowhere")
		} else {
			w.add(id, "fixed", "table", after.Fixed)
		}
	}
}

// seats adds the effects for changed seats.
func (w *effectWriter) seats(was, is peopleState) {
	before, after, round := seatsIn(was), seatsIn(is), 0
	for _, t := range partsOf[tablePart](bothStates(was, is), "table") {
		round = t.Of
	}
	at := maps.Clone(before)
	maps.Copy(at, after)
	ids := slices.SortedFunc(maps.Keys(at), func(a, b int64) int {
		return cmp.Or(cmp.Compare(at[a].number, at[b].number), cmp.Compare(at[a].seat, at[b].seat), cmp.Compare(a, b))
	})
	var shifted []PeopleEffect
	for _, id := range ids {
		from, had := before[id]
		to, has := after[id]
		last := len(w.list)
		switch {
		case !has:
			w.add(id, "seat_left", "round", round, "table", from.number)
		case !had:
			w.add(id, "seat_taken", "round", round, "table", to.number, "seat", to.seat+1)
		case from.table != to.table:
			w.add(id, "seat_moved", "round", round, "from", from.number, "table", to.number, "seat", to.seat+1)
		case from.number != to.number:
			w.add(id, "table_moved", "round", round, "from", from.number, "table", to.number)
		case from.seat != to.seat:
			w.add(id, "seat_shifted", "round", round, "table", to.number, "seat", to.seat+1)
			shifted = append(shifted, w.list[last])
			w.list = w.list[:last]
		}
	}
	w.list = append(w.list, shifted...)
}

// seatsIn returns a state's seats by player.
func seatsIn(p peopleState) map[int64]place {
	at := map[int64]place{}
	for id, t := range partsOf[tablePart](p, "table") {
		for seat, player := range t.Players {
			at[player] = place{int(id), t.Number, seat}
		}
	}
	return at
}

func (w *effectWriter) missed(key string, was, is peopleState) {
	var m, before MissedRound
	if is.read(key, &m) && was.read(key, &before) {
		w.add(m.PlayerID, "misses_costs", "round", m.Round, "points", m.Charge, "before", before.Charge)
	} else if is.read(key, &m) {
		w.add(m.PlayerID, "misses_"+m.Reason, "round", m.Round, "points", m.Charge)
	} else if was.read(key, &m) {
		w.add(m.PlayerID, "misses_not", "round", m.Round)
	}
}

func (w *effectWriter) standIn(key string, was, is peopleState) {
	var s standInPart
	switch {
	case !is.read(key, &s):
		was.read(key, &s)
		w.add(s.PlayerID, "stand_in_not", "person", s.Name, "round", s.Round)
	case s.Name == "":
		w.add(s.PlayerID, "returns", "round", s.Round, "game", s.Game)
	default:
		w.add(s.PlayerID, "stand_in", "person", s.Name, "round", s.Round, "game", s.Game)
	}
}

// shown adds the effect if the displayed name of an earlier entry changes.
func (w *effectWriter) shown(key string, was, is peopleState) {
	id := keyID(key)
	shown := w.whole.player(id).Name
	if _, new := is[strings.Replace(key, "shown/", "player/", 1)]; new &&
		was["player/"+strconv.FormatInt(id, 10)] == "" {
		return
	}
	text := "shown_alone"
	if is.read(key, &shown) {
		text = "shown"
	}
	w.list = append(w.list, PeopleEffect{Key: text, Player: id,
		Args: refuse.Args{"name": w.whole.player(id).Name, "number": w.whole.player(id).Number, "shown": shown}})
}

func (w *effectWriter) settings(was, is peopleState) {
	var a, b settingsPart
	was.read("settings/0", &a)
	is.read("settings/0", &b)
	w.list = append(w.list, settingsEffects(PeopleSettingsOf(a), PeopleSettingsOf(b))...)
}

// PeopleSettingsOf holds the settings for entries and attendance. Capacity 0 means no limit. A player who is not at the
// table NoShowMinutes after a round's start is listed as missing. MissedCharge is the number of whole points that each
// missed game costs.
type PeopleSettingsOf struct {
	RegistrationOpen bool `json:"registration_open"`
	Capacity         int  `json:"capacity" doc:"0: no limit"`
	CheckInOpen      bool `json:"check_in_open" doc:"players may check in with their ticket"`
	NoShowMinutes    int  `json:"no_show_minutes"`
	MissedCharge     int  `json:"missed_charge" doc:"whole points charged for a missed game"`
}

// PeopleOf returns the tournament's settings for entries and attendance.
func (t Tournament) PeopleOf() PeopleSettingsOf {
	return PeopleSettingsOf{t.RegistrationOpen, t.Capacity, t.CheckInOpen, t.NoShowMinutes, t.MissedCharge}
}

// Limits of the settings.
const (
	noShowMost = 240
	chargeMost = 1000
	missedMost = chargeMost * RoundGamesMost
)

func (s PeopleSettingsOf) check() error {
	switch {
	case s.Capacity < 0 || s.Capacity > rosterfile.Rows:
		return refuse.Invalid("err_capacity", "most", rosterfile.Rows)
	case s.NoShowMinutes < 1 || s.NoShowMinutes > noShowMost:
		return refuse.Invalid("err_no_show_minutes", "most", noShowMost)
	case s.MissedCharge < 0 || s.MissedCharge > chargeMost:
		return refuse.Invalid("err_missed_charge", "most", chargeMost)
	}
	return nil
}

// settingsPart is the form of the settings in stored changes.
type settingsPart struct {
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int
	MissedCharge     int
}

// SetPeopleSettings sets registration, capacity, check-in, the deadline and the charge for a missed game.
type SetPeopleSettings struct {
	Tournament int64            `json:"tournament"`
	Settings   PeopleSettingsOf `json:"settings"`
	Why        string           `json:"why,omitempty"`
}

var _ = peopleKind[SetPeopleSettings](PeopleSettings, rights.MayEditRoster, action.Keep[peopleChanged])

func (s SetPeopleSettings) Do(tx *action.Tx) (PeopleOutcome, error) {
	if err := s.Settings.check(); err != nil {
		return PeopleOutcome{}, err
	}
	return changePeople(tx, peopleWork{tournamentID: s.Tournament, name: PeopleSettings, why: s.Why},
		func(tx *peopleTx) error { return tx.setSettings(s.Settings) })
}

func (tx *peopleTx) setSettings(set PeopleSettingsOf) error {
	return tx.Model(&Tournament{}).Where("id = ?",
		tx.event.ID).Updates(map[string]any{"registration_open": set.RegistrationOpen, "capacity": set.Capacity,
		"check_in_open": set.CheckInOpen, "no_show_minutes": set.NoShowMinutes,
		"missed_charge": set.MissedCharge}).Error
}

// settingsEffects returns the effects of changing settings a to b.
func settingsEffects(a, b PeopleSettingsOf) []PeopleEffect {
	var list []PeopleEffect
	add := func(key string, nameValues ...any) {
		args := refuse.Args{} // never nil, because API clients get it too
		maps.Copy(args, refuse.ArgsOf(nameValues...))
		list = append(list, PeopleEffect{Key: key, Args: args})
	}
	if a.RegistrationOpen != b.RegistrationOpen {
		add(map[bool]string{true: "registration_opens", false: "registration_closes"}[b.RegistrationOpen])
	}
	if a.CheckInOpen != b.CheckInOpen {
		add(map[bool]string{true: "check_in_opens", false: "check_in_closes"}[b.CheckInOpen])
	}
	if a.Capacity != b.Capacity {
		if b.Capacity == 0 {
			add("capacity_none")
		} else {
			add("capacity", "n", b.Capacity)
		}
	}
	if a.NoShowMinutes != b.NoShowMinutes {
		add("deadline", "n", b.NoShowMinutes)
	}
	if a.MissedCharge != b.MissedCharge && b.MissedCharge == 0 {
		add("missed_charge_none")
	} else if a.MissedCharge != b.MissedCharge {
		add("missed_charge", "n", b.MissedCharge)
	}
	return list
}

// phrase describes how settings s differ from otherwise.
func (s PeopleSettingsOf) phrase(otherwise PeopleSettingsOf) action.Phrase {
	var said action.Sentences
	for _, e := range settingsEffects(otherwise, s) {
		if !strings.HasSuffix(e.Key, "_opens") && !strings.HasSuffix(e.Key, "_closes") {
			said = append(said, action.Phrase{Key: "people.effect." + e.Key, Args: e.Args})
		}
	}
	asked := func(key string, is bool) {
		said = append(said, action.Say("log.is.asked", "what", action.Word(key), "is",
			action.Word("log.is."+strconv.FormatBool(is))))
	}
	if s.RegistrationOpen != otherwise.RegistrationOpen {
		asked("people.registration_open", s.RegistrationOpen)
	}
	if s.CheckInOpen != otherwise.CheckInOpen {
		asked("people.check_in_open", s.CheckInOpen)
	}
	return action.Tell(said)
}
