package people

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// place is a seat of an unfinished round: the table's ID and number, and the seat from 0.
type place struct{ table, number, seat int }

// Effects describes the differences between two states for officials: first players, then seats, then the rest. was and
// is hold the parts that differ; whole holds all players.
func Effects(was, is, whole tournament.PeopleState) []tournament.PeopleEffect {
	w := effectWriter{whole: whole}
	for _, key := range tournament.KeysOf(was, is) {
		if strings.HasPrefix(key, "player/") {
			w.player(tournament.KeyID(key), key, was, is)
		}
	}
	w.seats(was, is)
	for _, key := range tournament.KeysOf(was, is) {
		kind, _, _ := strings.Cut(key, "/")
		switch kind {
		case "missed":
			w.missed(key, was, is)
		case "stand_in":
			w.standIn(key, was, is)
		case "shown":
			w.shown(key, was, is)
		case "closed":
			w.add(0, pick(is, key, "table_closed", "table_opened"), "table", tournament.KeyID(key))
		case "settings":
			w.settings(was, is)
		}
	}
	return w.list
}

type effectWriter struct {
	whole tournament.PeopleState
	list  []tournament.PeopleEffect
}

func (w *effectWriter) add(player int64, key string, nameValues ...any) {
	args := refuse.Args{} // never nil, because API clients get it too
	if player != 0 {
		args["name"] = w.whole.Name(player)
	}
	maps.Copy(args, refuse.ArgsOf(nameValues...))
	w.list = append(w.list, tournament.PeopleEffect{Key: key, Args: args, Player: player})
}

func pick(p tournament.PeopleState, key, there, missing string) string {
	if _, ok := p[key]; ok {
		return there
	}
	return missing
}

func (w *effectWriter) player(id int64, key string, was, is tournament.PeopleState) {
	var before, after tournament.PlayerPart
	had, has := was.Read(key, &before), is.Read(key, &after)
	switch {
	case !had && after.State == tournament.StateWaiting:
		w.add(id, "enters_waiting", "number", after.Number)
	case !had && after.State == tournament.StateCheckedIn:
		w.add(id, "enters_here", "number", after.Number)
	case !had:
		w.add(id, "enters", "number", after.Number)
	case !has:
		w.add(id, "is_removed", "number", before.Number)
	case before.State == tournament.StateWaiting && after.State == tournament.StateRegistered:
		w.add(id, "moves_up")
	case before.State != after.State:
		w.add(id, "becomes_"+after.State)
	}
	if has && had && before.PlayerWho != after.PlayerWho {
		w.add(id, "is_written", "before", before.PlayerWho.String(), "after", after.PlayerWho.String())
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
func (w *effectWriter) seats(was, is tournament.PeopleState) {
	before, after, round := seatsIn(was), seatsIn(is), 0
	for _, t := range tournament.PartsOf[tournament.TablePart](tournament.BothStates(was, is), "table") {
		round = t.Of
	}
	at := maps.Clone(before)
	maps.Copy(at, after)
	ids := slices.SortedFunc(maps.Keys(at), func(a, b int64) int {
		return cmp.Or(cmp.Compare(at[a].number, at[b].number), cmp.Compare(at[a].seat, at[b].seat), cmp.Compare(a, b))
	})
	var shifted []tournament.PeopleEffect
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
func seatsIn(p tournament.PeopleState) map[int64]place {
	at := map[int64]place{}
	for id, t := range tournament.PartsOf[tournament.TablePart](p, "table") {
		for seat, player := range t.Players {
			at[player] = place{int(id), t.Number, seat}
		}
	}
	return at
}

func (w *effectWriter) missed(key string, was, is tournament.PeopleState) {
	var m, before tournament.MissedRound
	if is.Read(key, &m) && was.Read(key, &before) {
		w.add(m.PlayerID, "misses_costs", "round", m.Round, "points", m.Charge, "before", before.Charge)
	} else if is.Read(key, &m) {
		w.add(m.PlayerID, "misses_"+m.Reason, "round", m.Round, "points", m.Charge)
	} else if was.Read(key, &m) {
		w.add(m.PlayerID, "misses_not", "round", m.Round)
	}
}

func (w *effectWriter) standIn(key string, was, is tournament.PeopleState) {
	var s tournament.StandInPart
	switch {
	case !is.Read(key, &s):
		was.Read(key, &s)
		w.add(s.PlayerID, "stand_in_not", "person", s.Name, "round", s.Round)
	case s.Name == "":
		w.add(s.PlayerID, "returns", "round", s.Round, "game", s.Game)
	default:
		w.add(s.PlayerID, "stand_in", "person", s.Name, "round", s.Round, "game", s.Game)
	}
}

// shown adds the effect of a changed display name, unless the same action entered the player.
func (w *effectWriter) shown(key string, was, is tournament.PeopleState) {
	id := tournament.KeyID(key)
	shown := w.whole.Player(id).Name
	if _, new := is[strings.Replace(key, "shown/", "player/", 1)]; new &&
		was["player/"+strconv.FormatInt(id, 10)] == "" {
		return
	}
	text := "shown_alone"
	if is.Read(key, &shown) {
		text = "shown"
	}
	w.list = append(w.list, tournament.PeopleEffect{Key: text, Player: id,
		Args: refuse.Args{"name": w.whole.Player(id).Name, "number": w.whole.Player(id).Number, "shown": shown}})
}

func (w *effectWriter) settings(was, is tournament.PeopleState) {
	var a, b tournament.SettingsPart
	was.Read("settings/0", &a)
	is.Read("settings/0", &b)
	w.list = append(w.list, tournament.SettingsEffects(tournament.PeopleSettingsOf(a),
		tournament.PeopleSettingsOf(b))...)
}

// MissedMost is the maximum charge for a missed round, in whole points.
const (
	MissedMost = tournament.ChargeMost * draw.RoundGamesMost
)

// SetPeopleSettings sets registration, capacity, check-in, the deadline and the charge for a missed game.
type SetPeopleSettings struct {
	Tournament int64                       `json:"tournament"`
	Settings   tournament.PeopleSettingsOf `json:"settings"`
	Why        string                      `json:"why,omitempty"`
}

var _ = peopleKind[SetPeopleSettings](tournament.PeopleSettings, rights.MayEditRoster,
	action.Keep[tournament.PeopleChanged])

func (s SetPeopleSettings) Do(tx *action.Tx) (PeopleOutcome, error) {
	if err := s.Settings.Check(); err != nil {
		return PeopleOutcome{}, err
	}
	return changePeople(tx, peopleWork{tournamentID: s.Tournament, name: tournament.PeopleSettings, why: s.Why},
		func(tx *peopleTx) error { return tx.setSettings(s.Settings) })
}

func (tx *peopleTx) setSettings(set tournament.PeopleSettingsOf) error {
	return tx.Model(&tournament.Tournament{}).Where("id = ?",
		tx.event.ID).Updates(map[string]any{"registration_open": set.RegistrationOpen, "capacity": set.Capacity,
		"check_in_open": set.CheckInOpen, "no_show_minutes": set.NoShowMinutes,
		"missed_charge": set.MissedCharge}).Error
}

// AddPlaces adds to the subject on the changed players, tables and rounds, and all players at the changed tables.
func AddPlaces(on *action.About, was, is, whole tournament.PeopleState) {
	add := func(list *[]int, n, not int) {
		if n != 0 && n != not && !slices.Contains(*list, n) {
			*list = append(*list, n)
		}
	}
	var seated []int64
	for _, key := range tournament.KeysOf(was, is) {
		for _, p := range []tournament.PeopleState{was, is} {
			var one tournament.PlayerPart
			var t tournament.TablePart
			switch {
			case strings.HasPrefix(key, "player/") && p.Read(key, &one):
				add(&on.Players, one.Number, on.Player)
			case strings.HasPrefix(key, "table/") && p.Read(key, &t):
				add(&on.Tables, t.Number, on.Table)
				add(&on.Rounds, t.Of, on.Round)
				seated = append(seated, t.Players...)
			}
		}
	}
	for _, id := range seated {
		add(&on.Players, whole.Player(id).Number, on.Player)
	}
}
