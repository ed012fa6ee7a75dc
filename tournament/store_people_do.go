package tournament

import (
	"cmp"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

// peopleDoer does one action about people in one transaction.
type peopleDoer struct {
	s      *Store
	tx     *gorm.DB
	t      Tournament
	before picture
	desk   bool   // an official does it, who has the people there
	round  *Round // the newest one that is not over

	entered []Player
	givesUp []playedSeat
	notes   []PeopleEffect
}

func (d *peopleDoer) load(tournamentID int64) (err error) {
	if d.t, err = findTournament(d.tx, tournamentID); err != nil {
		return err
	}
	if d.t.Practice != "" {
		return refuse.NotFound("err_tournament_not_found", "id", tournamentID)
	}
	if d.before, err = loadPicture(d.tx, tournamentID); err != nil {
		return err
	}
	d.round, err = openRound(d.tx, tournamentID)
	return err
}

func (d *peopleDoer) do(a PeopleAction) error {
	switch a.Kind {
	case PeopleEnter:
		return d.enter(a.Entries)
	case PeopleRemoveAbsent:
		return d.removeAbsent()
	case PeopleCloseTable:
		return d.closeTable(a.Number, a.Why)
	case PeopleOpenTable:
		return d.openTable(a.Number)
	case PeopleSettings:
		return d.setSettings(a.Settings)
	}
	p, err := d.player(a.Player)
	if err != nil {
		return err
	}
	switch a.Kind {
	case PeopleCheckIn, PeopleCheckOut:
		return d.checkIn(p, a.Kind == PeopleCheckIn)
	case PeopleLeave:
		return d.leave([]Player{p}, StateWithdrawn, MissedLeft, a.Now)
	case PeopleNoShow:
		return d.leave([]Player{p}, StateNoShow, MissedNoShow, true)
	case PeopleBack:
		return d.back(p)
	case PeopleMoveUp:
		if p.State != StateWaiting {
			return refuse.Conflict("err_not_waiting", "name", p.Name)
		}
		return d.seatLate([]Player{p}, StateRegistered)
	case PeopleSubstitute:
		return d.substitute(p, a)
	case PeopleReturn:
		return d.returns(p)
	case PeopleFixTable:
		return d.fixTable(p, a.Number)
	case PeopleMissed:
		return d.setMissed(p, a.Number, a.Points)
	case PeopleCorrect:
		return d.setWho(p.ID, playerWho{a.Entries[0].Name, a.Entries[0].Country, a.Entries[0].Club})
	}
	return refuse.Invalid("err_people_kind", "kind", a.Kind)
}

func (d *peopleDoer) player(id int64) (Player, error) {
	var p Player
	if err := d.tx.Where("tournament_id = ?", d.t.ID).Take(&p, id).Error; err != nil {
		return p, missing(err, "player", id)
	}
	return p, nil
}

// subject is what the log says an action was about.
func (d *peopleDoer) subject(a PeopleAction) string {
	if a.Player != 0 {
		if p, err := d.player(a.Player); err == nil {
			return p.subject()
		}
	}
	switch {
	case len(d.entered) == 1:
		return d.entered[0].subject()
	case a.Kind == PeopleCloseTable, a.Kind == PeopleOpenTable:
		return fmt.Sprintf("table %d", a.Number)
	}
	return d.t.subject()
}

func (d *peopleDoer) setPlayer(id int64, state string, gone bool, fixed int) error {
	return d.tx.Model(&Player{}).Where("id = ?", id).Updates(map[string]any{"state": state, "gone": gone, "fixed_table": fixed}).Error
}

func (d *peopleDoer) setDrawn(id int64, number int) error {
	return clash(d.tx.Model(&Player{}).Where("id = ?", id).Update("drawn", number).Error, "err_undo_changed")
}

func (d *peopleDoer) setState(p Player, state string, gone bool) error {
	return d.setPlayer(p.ID, state, gone, p.FixedTable)
}

func (d *peopleDoer) setSettings(set PeopleSettingsOf) error {
	return d.tx.Model(&Tournament{}).Where("id = ?", d.t.ID).Updates(map[string]any{"registration_open": set.RegistrationOpen, "capacity": set.Capacity,
		"check_in_open": set.CheckInOpen, "no_show_minutes": set.NoShowMinutes, "missed_charge": set.MissedCharge}).Error
}

// enter writes new players. While there is room they are in, then they wait; who comes late sits down where a chair is free.
func (d *peopleDoer) enter(entries []PlayerEntry) error {
	players, err := d.s.enter(d.tx, d.t.ID, entries)
	if err != nil {
		return err
	}
	d.entered = players
	room, err := d.room()
	if err != nil {
		return err
	}
	in := players
	if room = max(room+len(players), 0); room < len(players) {
		in = players[:room]
		for i := range players[room:] {
			p := &d.entered[room+i]
			p.State = StateWaiting
			if err := d.setState(*p, StateWaiting, false); err != nil {
				return err
			}
		}
	}
	state := StateRegistered
	if late, err := d.late(); err != nil {
		return err
	} else if late && d.desk { // who is entered at the desk while rounds are played stands there
		state = StateCheckedIn
	}
	for i := range in {
		in[i].State = state
	}
	return d.seatLate(in, state)
}

// late tells whether a round has been published.
func (d *peopleDoer) late() (bool, error) {
	var published int64
	err := d.tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", d.t.ID, RoundDraft).Count(&published).Error
	return published > 0, err
}

// room is how many more players the capacity lets in; below 0 there are too many.
func (d *peopleDoer) room() (int, error) {
	var t Tournament
	if err := d.tx.Select("capacity").Take(&t, d.t.ID).Error; err != nil {
		return 0, err
	}
	if t.Capacity == 0 {
		return RosterRows, nil
	}
	var n int64
	err := d.tx.Model(&Player{}).Where("tournament_id = ? AND state IN ?", d.t.ID, []string{StateRegistered, StateCheckedIn}).Count(&n).Error
	return t.Capacity - int(n), err
}

// moveUp lets the waiting list move up into free places, as long as no round is published.
func (d *peopleDoer) moveUp() error {
	if late, err := d.late(); err != nil || late {
		return err
	}
	var waiting int64
	if err := d.tx.Model(&Player{}).Where("tournament_id = ? AND state = ?", d.t.ID, StateWaiting).Count(&waiting).Error; err != nil || waiting == 0 {
		return err
	}
	room, err := d.room()
	if err != nil || room < 1 {
		return err
	}
	var next []Player
	if err := d.tx.Where("tournament_id = ? AND state = ?", d.t.ID, StateWaiting).Order("number").Limit(room).Find(&next).Error; err != nil {
		return err
	}
	return d.seatLate(next, StateRegistered)
}

// seatLate lets players in: into the draft, at a free chair of a table that has not begun, or from the next round on; what they
// have missed is written down.
func (d *peopleDoer) seatLate(players []Player, state string) error {
	for _, p := range players {
		if err := d.setState(p, state, false); err != nil {
			return err
		}
	}
	if _, err := d.sitDown(players); err != nil {
		return err
	}
	var rounds []Round
	if err := d.tx.Where("tournament_id = ? AND stage = 0 AND status <> ?", d.t.ID, RoundDraft).Order("number").Find(&rounds).Error; err != nil {
		return err
	}
	for _, r := range rounds {
		for _, p := range players {
			if err := d.misses(p.ID, r, MissedLate); err != nil {
				return err
			}
		}
	}
	return nil
}

// sitDown seats players in the round that is not over, if they can be; who sits there then.
func (d *peopleDoer) sitDown(players []Player) (seated []int64, err error) {
	if d.round == nil || len(players) == 0 {
		return nil, nil
	}
	if d.round.Status == RoundDraft {
		return nil, d.mendDraft()
	}
	if d.round.Stage > 0 {
		return nil, nil
	}
	return d.takeChairs(players)
}

func idsOf(players []Player) []int64 {
	ids := make([]int64, len(players))
	for i, p := range players {
		ids[i] = p.ID
	}
	return ids
}

// misses writes that a player does not play a round. One that is written, or in which the player sits, stays as it is.
func (d *peopleDoer) misses(player int64, r Round, reason string) error {
	return d.tx.Exec(`INSERT INTO missed_rounds (tournament_id, player_id, round, stage, games, charge, reason)
		SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM seats WHERE round_id = ? AND player_id = ?) ON CONFLICT DO NOTHING`,
		d.t.ID, player, r.Number, r.Stage, r.Games, int64(engine.Whole(d.t.MissedCharge*r.Games)), reason, r.ID, player).Error
}

func (d *peopleDoer) checkIn(p Player, here bool) error {
	switch {
	case here && p.State == StateCheckedIn, !here && p.State == StateRegistered:
		return nil
	case here && p.State == StateRegistered:
		return d.setState(p, StateCheckedIn, false)
	case !here && p.State == StateCheckedIn:
		return d.setState(p, StateRegistered, false)
	}
	return refuse.Conflict("err_check_in_state", "name", p.Name)
}

// absentPlayers are those of an event who play and of whom nothing says that they are here: not checked in, no device of theirs
// at a table, no game played.
func absentPlayers(db *gorm.DB, tournamentID int64) ([]Player, error) {
	var absent []Player
	err := db.Where(`tournament_id = ? AND state = ? AND device_hash IS NULL AND NOT EXISTS (SELECT 1 FROM seats e JOIN games g ON g.table_id = e.table_id
		WHERE e.player_id = players.id AND g.status = ?)`, tournamentID, StateRegistered, GameFinished).Order("number").Find(&absent).Error
	return absent, err
}

func (d *peopleDoer) removeAbsent() error {
	if d.round != nil && d.round.Status == RoundRunning {
		return refuse.Conflict("err_remove_absent_running", "round", d.round.Number)
	}
	absent, err := absentPlayers(d.tx, d.t.ID)
	if err != nil {
		return err
	}
	if len(absent) == 0 {
		return refuse.Conflict("err_nobody_absent")
	}
	return d.leave(absent, StateNoShow, MissedNoShow, true)
}

// leave takes players out of the rounds to come. Their chairs at tables that nobody plays at yet are given up with them, and
// when they go at once also their seats in the games that are on. What they have played stays.
func (d *peopleDoer) leave(players []Player, state, reason string, now bool) error {
	for _, p := range players {
		if !p.Plays() && p.State != StateWaiting {
			return refuse.Conflict("err_plays_not", "name", p.Name)
		}
		if err := d.setState(p, state, now); err != nil {
			return err
		}
	}
	switch {
	case d.round == nil:
		return nil
	case d.round.Status == RoundDraft:
		return d.mendDraft()
	case d.round.Status == RoundRunning && !now: // they play it to its end
		return d.inGame(players, false)
	}
	freed, err := d.giveUpChairs(players)
	if err != nil {
		return err
	}
	for _, p := range players {
		if slices.Contains(freed, p.ID) {
			err = d.misses(p.ID, *d.round, reason)
		} else {
			err = d.setState(p, state, true) // whose chair stays does not play there
		}
		if err != nil {
			return err
		}
	}
	return d.inGame(players, true)
}

// inGame notes the seats that players who leave now give up in the games that are on, and says so.
func (d *peopleDoer) inGame(players []Player, now bool) error {
	for _, p := range players {
		var at struct{ Number int }
		if err := d.tx.Raw(`SELECT t.number FROM seats e JOIN tables t ON t.id = e.table_id WHERE e.round_id = ? AND e.player_id = ?`, d.round.ID, p.ID).
			Scan(&at).Error; err != nil {
			return err
		}
		if at.Number == 0 {
			continue
		}
		key := "plays_round_out"
		if now {
			key = "gives_up"
			var games []playedSeat
			if err := d.tx.Raw(runningGames, p.ID, GameRunning).Scan(&games).Error; err != nil {
				return err
			}
			d.givesUp = append(d.givesUp, games...)
		}
		d.notes = append(d.notes, PeopleEffect{Key: key, Player: p.ID, Args: refuse.Args{"name": p.Name, "round": d.round.Number, "table": at.Number}})
	}
	return nil
}

// back lets a player play again who had left.
func (d *peopleDoer) back(p Player) error {
	if p.Plays() || p.State == StateWaiting {
		return refuse.Conflict("err_plays_already", "name", p.Name)
	}
	if out, err := disqualified(d.tx, d.t.ID); err != nil || out[p.ID] {
		return cmp.Or(err, error(refuse.Conflict("err_player_disqualified", "name", p.Name)))
	}
	if err := d.setState(p, StateCheckedIn, false); err != nil {
		return err
	}
	seated, err := d.sitDown([]Player{p})
	if err == nil && slices.Contains(seated, p.ID) {
		err = d.tx.Where("player_id = ? AND round = ?", p.ID, d.round.Number).Delete(&MissedRound{}).Error
	}
	return err
}

// substitute puts somebody in a player's place. The seat's results stay the entry's, and the person is named from the next
// game on; or a new entry takes the seat from the next round on, and each keeps what it has played.
func (d *peopleDoer) substitute(p Player, a PeopleAction) error {
	if !p.Plays() {
		return refuse.Conflict("err_plays_not", "name", p.Name)
	}
	var other Player
	if a.Other != 0 {
		var err error
		if other, err = d.player(a.Other); err != nil {
			return err
		}
		if other.State != StateWaiting {
			return refuse.Conflict("err_not_waiting", "name", other.Name)
		}
	}
	if a.Keep == KeepEntry {
		name := other.Name
		if a.Other == 0 {
			name = a.Entries[0].Name
		} else if err := d.setState(other, StateSubstituted, false); err != nil { // plays, but not as an own entry
			return err
		}
		return d.standIn(p, name)
	}
	if d.round != nil && d.round.Status == RoundRunning {
		return refuse.Conflict("err_substitute_running", "round", d.round.Number)
	}
	if a.Other == 0 {
		entered, err := d.s.enter(d.tx, d.t.ID, a.Entries)
		if err != nil {
			return err
		}
		other, d.entered = entered[0], entered
	}
	return d.takeOver(p, other)
}

// takeOver gives a player's seat in the round to come to another entry, exactly as it is.
func (d *peopleDoer) takeOver(p, other Player) error {
	if err := d.setState(p, StateSubstituted, true); err != nil {
		return err
	}
	if err := d.setPlayer(other.ID, StateCheckedIn, false, p.FixedTable); err != nil {
		return err
	}
	if p.Drawn != 0 && other.Drawn == 0 { // the seat in the number chart is the place's
		if err := d.setDrawn(p.ID, 0); err != nil {
			return err
		}
		if err := d.setDrawn(other.ID, p.Drawn); err != nil {
			return err
		}
	}
	if d.round != nil {
		tables, _, err := placings(d.tx, d.round.ID)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if i := slices.Index(t.Players, p.ID); i >= 0 {
				t.Players[i] = other.ID
				if err := d.reseat([]placing{t}, nil); err != nil {
					return err
				}
			}
		}
	}
	return d.missedBefore(other)
}

// missedBefore writes down the rounds of the first stage that a new entry has missed.
func (d *peopleDoer) missedBefore(p Player) error {
	var rounds []Round
	if err := d.tx.Where("tournament_id = ? AND stage = 0 AND status <> ?", d.t.ID, RoundDraft).Find(&rounds).Error; err != nil {
		return err
	}
	for _, r := range rounds {
		if err := d.misses(p.ID, r, MissedLate); err != nil {
			return err
		}
	}
	return nil
}

// standIn names who plays for an entry from the next game on that has not begun.
func (d *peopleDoer) standIn(p Player, person string) error {
	var have []StandIn
	if err := d.tx.Where("player_id = ?", p.ID).Find(&have).Error; err != nil {
		return err
	}
	if standInAt(have, p.ID, 1<<30, 1) == person {
		return refuse.Conflict("err_stand_in_same", "name", cmp.Or(person, p.Name))
	}
	var next struct{ Round, Game int }
	if err := d.tx.Raw(`SELECT r.number AS round, g.number AS game FROM rounds r JOIN seats e ON e.round_id = r.id AND e.player_id = ?
		JOIN games g ON g.table_id = e.table_id WHERE r.tournament_id = ? AND r.status IN ('published', 'running') AND g.status = 'waiting'
		ORDER BY r.number, g.number LIMIT 1`, p.ID, d.t.ID).Scan(&next).Error; err != nil {
		return err
	}
	if next.Round == 0 {
		if err := d.tx.Raw(`SELECT coalesce(max(number), 0) + 1 AS round, 1 AS game FROM rounds WHERE tournament_id = ? AND status <> 'draft'`, d.t.ID).
			Scan(&next).Error; err != nil {
			return err
		}
	}
	for _, s := range have {
		if s.Round == next.Round && s.Game == next.Game { // nobody has played there: it is as if it had not been
			if err := d.tx.Delete(&StandIn{}, s.ID).Error; err != nil {
				return err
			}
			have = slices.DeleteFunc(have, func(o StandIn) bool { return o.ID == s.ID })
			break
		}
	}
	if standInAt(have, p.ID, next.Round, next.Game) != person {
		one := StandIn{TournamentID: d.t.ID, PlayerID: p.ID, Name: person, Round: next.Round, Game: next.Game}
		if err := d.tx.Create(&one).Error; err != nil {
			return err
		}
	}
	return d.newSeatCode(p.ID)
}

// returns lets the entry's own player play again.
func (d *peopleDoer) returns(p Player) error { return d.standIn(p, "") }
