package people

import (
	"cmp"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// judgeDraft assesses a draft again after a change and withdraws its approval. It drops the plan for later rounds,
// unless the plan comes from a seating file.
func (tx *peopleTx) judgeDraft() error {
	round := *tx.round
	values := map[string]any{"checked_at": 0, "checked_by": ""}
	next, err := draw.NextRoundOf(tx.DB, tx.event.ID)
	if err == nil {
		next.Round.Method, next.Round.Seed = round.Method, round.Seed
		q, err := next.Request(tx.DB)
		if err == nil {
			tables, err := tournament.TablesOf(tx.DB, round.ID)
			if err != nil {
				return err
			}
			if rep, err := pairing.Assess(q, []pairing.Round{tables}); err == nil {
				left := round.Plan
				round.Judged(rep, nil)
				if round.Method == pairing.Script { // the file stays valid until it is replaced
					round.Plan = left
				}
				values["report"], values["plan"] = round.Report, round.Plan
			}
		}
	}
	return tx.Model(&tournament.Round{}).Where("id = ?", round.ID).Updates(values).Error
}

// mendDraft adapts the drafted round to the current players. It changes only the tables it must.
func (tx *peopleTx) mendDraft() error {
	tables, _, err := tournament.Placings(tx.DB, tx.round.ID)
	if err != nil {
		return err
	}
	next, err := draw.NextRoundOf(tx.DB, tx.event.ID)
	if err != nil {
		return nil // players not settled yet (before a lot); publishing reports it
	}
	seated := map[int64]bool{}
	var m pairing.Mending
	for _, t := range tables {
		for _, p := range t.Players {
			seated[p] = true
			if !slices.Contains(next.Players, p) {
				m.Leave = append(m.Leave, p)
			}
		}
	}
	for _, p := range next.Players {
		if !seated[p] {
			m.Join = append(m.Join, p)
		}
	}
	if len(m.Leave)+len(m.Join) == 0 {
		return nil
	}
	was, err := next.Stage.Seat(len(seated), next.Rules.SeatsMin, next.Rules.SeatsMax)
	own := err != nil || !pairing.SameSizes(tables, was) // keep table sizes that differ from the format where possible
	if sizes, err := next.Stage.Seat(len(next.Players), next.Rules.SeatsMin, next.Rules.SeatsMax); err == nil && !own {
		m.Sizes = sizes
	}
	return tx.mend(tables, m)
}

// mend changes a round's seats and stores the tables that changed.
func (tx *peopleTx) mend(tables []pairing.Placing, m pairing.Mending) error {
	after, err := tx.mended(tables, m)
	if err != nil {
		return err
	}
	return tx.rewrite(tables, after)
}

// mended returns the tables after m. It avoids repeated meetings and the hall's closed tables.
func (tx *peopleTx) mended(tables []pairing.Placing, m pairing.Mending) ([]pairing.Placing, error) {
	met, err := draw.MetBefore(tx.DB, tx.event.ID, tx.round.Number)
	if err != nil {
		return nil, err
	}
	if m.Closed, err = draw.ClosedNumbers(tx.DB, tx.event.ID); err != nil {
		return nil, err
	}
	m.Cost = met.Cost
	m.Least, m.Most, err = tx.tableSizes()
	return pairing.Mend(tables, m), err
}

// rewrite stores the tables of a round that changed.
func (tx *peopleTx) rewrite(tables, after []pairing.Placing) error {
	var gone []int64
	var changed []pairing.Placing
	for _, t := range tables {
		i := slices.IndexFunc(after, func(o pairing.Placing) bool { return o.ID == t.ID })
		if i < 0 {
			gone = append(gone, t.ID)
		} else if !slices.Equal(after[i].Players, t.Players) {
			changed = append(changed, after[i])
		}
	}
	for _, t := range after {
		if t.ID == 0 {
			changed = append(changed, t)
		}
	}
	return tx.reseat(changed, gone)
}

// tableSizes returns the minimum and maximum players at a table of the unfinished round.
func (tx *peopleTx) tableSizes() (least, most int, err error) {
	f, err := tx.event.Format()
	if err != nil {
		return 0, 0, err
	}
	rules, err := tx.event.RulesAt(tx.round.Stage)
	if least, most = 3, 4; f.Stages[tx.round.Stage].TableSize == 2 {
		least, most = 2, 3
	}
	return min(least, rules.SeatsMax), min(most, rules.SeatsMax), err
}

// reseat stores the numbers and players of tables of the unfinished round and removes the tables in gone. Other tables
// do not change; the given ones must not have begun. A player who moves keeps the seat code.
func (tx *peopleTx) reseat(tables []pairing.Placing, gone []int64) error {
	if tx.round == nil {
		return refuse.Conflict("err_undo_changed")
	}
	ids := slices.Clone(gone)
	for _, t := range tables {
		ids = append(ids, t.ID)
	}
	var had []tournament.Seat
	if err := tx.Where("table_id IN ?", ids).Find(&had).Error; err != nil {
		return err
	}
	if err := tx.keepCodes(tables, gone, had); err != nil {
		return err
	}
	if err := tx.Where("table_id IN ?", ids).Delete(&tournament.Seat{}).Error; err != nil {
		return err
	}
	if err := draw.RemoveGames(tx.Tx, gone); err != nil {
		return err
	}
	if err := tx.Where("id IN ?", gone).Delete(&tournament.Table{}).Error; err != nil {
		return err
	}
	if err := tx.renumber(tables); err != nil {
		return err
	}
	if err := tx.sit(tables, had); err != nil {
		return err
	}
	switch {
	case tx.round.Status == tournament.RoundDraft:
		return tx.judgeDraft()
	case tx.round.Status == tournament.RoundPublished && len(ids) > 0: // people have seen it otherwise
		return tx.Model(&tournament.Round{}).Where("id = ?", tx.round.ID).Update("changed_at", tx.Now()).Error
	}
	return nil
}

// renumber stores the tables' rows. It first moves changed numbers aside so that they do not collide. It sets the ID of
// each new table.
func (tx *peopleTx) renumber(tables []pairing.Placing) error {
	const aside = 1 << 20
	var rows []tournament.Table
	if err := tx.Where("round_id = ?", tx.round.ID).Find(&rows).Error; err != nil {
		return err
	}
	have := store.MapOf(rows, func(t tournament.Table) (int64, int) { return t.ID, t.Number })
	for _, t := range tables {
		if n, ok := have[t.ID]; ok && n != t.Number {
			if err := tx.Model(&tournament.Table{}).Where("id = ?", t.ID).Update("number", aside+n).Error; err != nil {
				return err
			}
		}
	}
	for i, t := range tables {
		n, ok := have[t.ID]
		switch {
		case !ok:
			row := []tournament.Table{{ID: t.ID, TournamentID: tx.event.ID, RoundID: tx.round.ID, Number: t.Number}}
			if err := tournament.SameTiles(tx.DB, *tx.round, row); err != nil {
				return err
			}
			if err := tx.Create(&row).Error; err != nil {
				return err
			}
			tables[i].ID = row[0].ID
		case n != t.Number:
			if err := tx.Model(&tournament.Table{}).Where("id = ?", t.ID).Update("number", t.Number).Error; err != nil {
				return err
			}
		}
	}
	return nil
}

// sit stores the seats of tables and, in a published or running round, their codes and games. Existing seats keep their
// rows and are written first, because their IDs are free at that moment.
func (tx *peopleTx) sit(tables []pairing.Placing, had []tournament.Seat) error {
	open := tx.round.Status == tournament.RoundPublished || tx.round.Status == tournament.RoundRunning
	var kept, fresh []tournament.Seat
	for _, t := range tables {
		for i, player := range t.Players {
			seat := tournament.Seat{PlayerID: player}
			at := slices.IndexFunc(had, func(s tournament.Seat) bool { return s.PlayerID == player })
			if at >= 0 {
				seat = had[at]
			} else if open {
				seat.SetCode(cmp.Or(tx.again.Seats[player], secret.NewCode()))
			}
			seat.RoundID, seat.TableID, seat.Seat = tx.round.ID, t.ID, i
			if at >= 0 {
				kept = append(kept, seat)
			} else {
				fresh = append(fresh, seat)
			}
		}
	}
	for _, seats := range [][]tournament.Seat{kept, fresh} {
		if err := tx.CreateInBatches(seats, 100).Error; err != nil {
			return store.Clash(err, "err_player_seated_twice", "round", tx.round.Number)
		}
	}
	for _, t := range tables {
		if !open {
			break
		}
		if err := tx.openTableCode(t.ID); err != nil {
			return err
		}
	}
	return nil
}

// openTableCode gives a table its code and its games if it has none; cards already on the table stay valid.
func (tx *peopleTx) openTableCode(table int64) error {
	var row tournament.Table
	if err := tx.Take(&row, table).Error; err != nil {
		return err
	}
	if row.Code == "" {
		code := cmp.Or(tx.again.Tables[table], secret.NewCode())
		if err := tx.Model(&row).Updates(map[string]any{"code": code,
			"code_hash": secret.Hash(code)}).Error; err != nil {
			return err
		}
	}
	var games int64
	if err := tx.Model(&tournament.Game{}).Where("table_id = ?", table).Count(&games).Error; err != nil || games > 0 {
		return err
	}
	for number := range tx.round.Games {
		if err := tx.Create(&tournament.Game{TournamentID: tx.event.ID, TableID: table, Number: number + 1,
			Status: game.Waiting}).Error; err != nil {
			return err
		}
	}
	return nil
}

// newSeatCode removes a player's device and gives the player's seat in the open round a new code, because another
// person sits there now.
func (tx *peopleTx) newSeatCode(player int64) error {
	p, err := tx.player(player)
	if err != nil {
		return err
	}
	if err := tx.Model(&tournament.Player{}).Where("id = ?", player).Updates(withoutDevice).Error; err != nil {
		return err
	}
	if tx.round == nil || !tx.round.Underway() {
		return nil
	}
	var seat tournament.Seat
	if err := tx.Where("round_id = ? AND player_id = ?", tx.round.ID, player).Limit(1).Find(&seat).Error; err != nil ||
		seat.ID == 0 {
		return err
	}
	if p.Joined() {
		tx.Notes = append(tx.Notes, tournament.PeopleEffect{Key: "device_out", Player: player,
			Args: refuse.Args{"name": p.Name}})
	}
	seat.SetCode(secret.NewCode())
	if err := tx.Save(&seat).Error; err != nil {
		return err
	}
	return tx.openTableCode(seat.TableID)
}
