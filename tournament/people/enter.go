package people

import (
	"cmp"
	"slices"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// EnterPlayers adds new players. Late players take a free chair or play from the next round on; players beyond the
// capacity go on the waiting list.
type EnterPlayers struct {
	Tournament int64                    `json:"tournament"`
	Entries    []rosterfile.PlayerEntry `json:"entries"`
	Why        string                   `json:"why,omitempty"`
}

var _ = peopleKind[EnterPlayers](tournament.PeopleEnter, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (e EnterPlayers) Do(tx *action.Tx) (PeopleOutcome, error) {
	entries, err := cleanEntries(e.Entries)
	if err != nil {
		return PeopleOutcome{}, err
	}
	if len(entries) == 0 {
		return PeopleOutcome{}, refuse.Invalid("err_player_no_name", "field", "name")
	}
	return changePeople(tx, peopleWork{tournamentID: e.Tournament, name: tournament.PeopleEnter, why: e.Why},
		func(tx *peopleTx) error { return tx.enter(entries) })
}

// cleanEntries returns the cleaned entries, or the first error.
func cleanEntries(entries []rosterfile.PlayerEntry) ([]rosterfile.PlayerEntry, error) {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i] = entries[i].Clean()
		if errs := entries[i].Check(); len(errs) > 0 {
			return nil, errs[0]
		}
	}
	return entries, nil
}

// MoveUp admits a player from the waiting list.
type MoveUp aboutPlayer

var _ = peopleKind[MoveUp](tournament.PeopleMoveUp, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (m MoveUp) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(m).do(tx, tournament.PeopleMoveUp, func(tx *peopleTx, p tournament.Player) error {
		if p.State != tournament.StateWaiting {
			return refuse.Conflict("err_not_waiting", "name", p.Name)
		}
		return tx.seatLate([]tournament.Player{p}, tournament.StateRegistered)
	})
}

// enter adds new players. Once the capacity is reached, they go on the waiting list; late players take a free chair.
func (tx *peopleTx) enter(entries []rosterfile.PlayerEntry) error {
	players, err := tournament.InsertPlayers(tx.DB, tx.event.ID, entries)
	if err != nil {
		return err
	}
	tx.entered = players
	room, err := tx.room()
	if err != nil {
		return err
	}
	in := players
	if room = max(room+len(players), 0); room < len(players) {
		in = players[:room]
		for i := range players[room:] {
			p := &tx.entered[room+i]
			p.State = tournament.StateWaiting
			if err := tx.setState(*p, tournament.StateWaiting, false); err != nil {
				return err
			}
		}
	}
	state := tournament.StateRegistered
	if late, err := tx.late(); err != nil {
		return err
	} else if late && tx.Actor.Role != rights.RolePublic { // late players entered by an official are present
		state = tournament.StateCheckedIn
	}
	for i := range in {
		in[i].State = state
	}
	return tx.seatLate(in, state)
}

// late reports whether a round has been published.
func (tx *peopleTx) late() (bool, error) {
	var published int64
	err := tx.Model(&tournament.Round{}).Where("tournament_id = ? AND status <> ?", tx.event.ID,
		tournament.RoundDraft).Count(&published).Error
	return published > 0, err
}

// room returns how many more players the capacity admits, or rosterfile.Rows without a limit. A negative number means
// that there are too many.
func (tx *peopleTx) room() (int, error) {
	var t tournament.Tournament
	if err := tx.Select("capacity").Take(&t, tx.event.ID).Error; err != nil {
		return 0, err
	}
	if t.Capacity == 0 {
		return rosterfile.Rows, nil
	}
	var n int64
	err := tx.Model(&tournament.Player{}).Where("tournament_id = ? AND state IN ?", tx.event.ID,
		[]string{tournament.StateRegistered, tournament.StateCheckedIn}).Count(&n).Error
	return t.Capacity - int(n), err
}

// MoveUp admits players from the waiting list to free places until the first round is published.
func (tx *peopleTx) MoveUp() error {
	if late, err := tx.late(); err != nil || late {
		return err
	}
	var waiting int64
	if err := tx.Model(&tournament.Player{}).Where("tournament_id = ? AND state = ?", tx.event.ID,
		tournament.StateWaiting).Count(&waiting).Error; err != nil || waiting == 0 {
		return err
	}
	room, err := tx.room()
	if err != nil || room < 1 {
		return err
	}
	var next []tournament.Player
	if err := tx.Where("tournament_id = ? AND state = ?", tx.event.ID,
		tournament.StateWaiting).Order("number").Limit(room).Find(&next).Error; err != nil {
		return err
	}
	return tx.seatLate(next, tournament.StateRegistered)
}

// seatLate admits players: into the draft, to a free chair at a waiting table, or from the next round on. It records
// the rounds that they have missed.
func (tx *peopleTx) seatLate(players []tournament.Player, state string) error {
	for _, p := range players {
		if err := tx.setState(p, state, false); err != nil {
			return err
		}
	}
	if _, err := tx.sitDown(players); err != nil {
		return err
	}
	return tx.missedBefore(players...)
}

// sitDown seats players in the unfinished round if possible. It returns the IDs of those seated at tables of a
// published or running round.
func (tx *peopleTx) sitDown(players []tournament.Player) (seated []int64, err error) {
	if tx.round == nil || len(players) == 0 {
		return nil, nil
	}
	if tx.round.Status == tournament.RoundDraft {
		return nil, tx.mendDraft()
	}
	if tx.round.Stage > 0 {
		return nil, nil
	}
	return tx.takeChairs(players)
}

// misses records that a player misses a round. It does nothing if that is already recorded or if the player has a seat
// in the round.
func (tx *peopleTx) misses(player int64, r tournament.Round, reason string) error {
	return tx.Exec(`INSERT INTO missed_rounds (tournament_id, player_id, round, stage, games, charge, reason)
		SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM seats WHERE round_id = ? AND player_id = ?) ON CONFLICT DO NOTHING`,
		tx.event.ID, player, r.Number, r.Stage, r.Games, int64(score.Whole(tx.event.MissedCharge*r.Games)), reason,
		r.ID, player).Error
}

// missedBefore records the rounds of the first stage that new players have missed.
func (tx *peopleTx) missedBefore(players ...tournament.Player) error {
	rounds, err := store.All[tournament.Round](tx.Where("tournament_id = ? AND stage = 0 AND status <> ?", tx.event.ID,
		tournament.RoundDraft).Order("number"))
	for _, r := range rounds {
		for _, p := range players {
			err = cmp.Or(err, tx.misses(p.ID, r, tournament.MissedLate))
		}
	}
	return err
}

// CorrectPlayer changes who a player is (PlayerWho) to the single entry. Draws and results stay.
type CorrectPlayer struct {
	Tournament int64                    `json:"tournament"`
	Player     int64                    `json:"player"`
	Entries    []rosterfile.PlayerEntry `json:"entries"`
	Why        string                   `json:"why,omitempty"`
}

var _ = peopleKind[CorrectPlayer](tournament.PeopleCorrect, rights.MayEditRoster, action.Keep[action.Value])

func (c CorrectPlayer) Do(tx *action.Tx) (PeopleOutcome, error) {
	entries, err := cleanEntries(c.Entries)
	if err != nil {
		return PeopleOutcome{}, err
	}
	if len(entries) != 1 {
		return PeopleOutcome{}, refuse.Invalid("err_player_no_name", "field", "name")
	}
	who := tournament.WhoOf(entries[0])
	w := peopleWork{tournamentID: c.Tournament, name: tournament.PeopleCorrect, player: c.Player, why: c.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error { return tx.setWho(p.ID, who) })
}

// setWho changes who a player is.
func (tx *peopleTx) setWho(id int64, w tournament.PlayerWho) error {
	e := rosterfile.PlayerEntry{Name: w.Name, Country: w.Country, Club: w.Club, Mark: w.Mark}
	if err := tournament.CheckApart(tx.DB, tx.event.ID, id, e); err != nil {
		return err
	}
	return tx.Model(&tournament.Player{}).Where("id = ?", id).Updates(map[string]any{"name": w.Name,
		"name_key": spelling.Fold(w.Name), "country": w.Country,
		"apart": e.Apart(), "club": w.Club, "mark": w.Mark,
		"federation_number": w.FederationNumber}).Error
}
