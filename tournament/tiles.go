package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// SetTiles sets the kind of tiles for all tables of a tournament that have no setting of their own and whose first game
// has not begun. Setting it back restores the tables whose first game has not begun in the meantime.
type SetTiles struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Tiles      string `json:"tiles" doc:"digital or real; for a table also empty: as in the event"`
	Why        string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

// TilesSet is the effect of a change of tiles on the tables of the current or drafted round. The lists hold table
// numbers.
type TilesSet struct {
	Tournament Tournament
	Round      int // round number, 0 for none
	Changed    []int
	Begun      []int // unchanged: a game has begun
	Own        []int // unchanged: they have their own setting
	Players    int   // at the changed tables
	Joined     int   // those with their own device
	Whole      []int // changed tables served by one device
}

var _ = action.NewKind[SetTiles](action.Kind{Name: "tournament.tiles", Right: rights.MaySeatRound,
	Changes: []action.What{action.TopicSettings},
	Details: action.Steps("tiles.")})

func (s SetTiles) Do(tx *action.Tx) (out TilesSet, err error) {
	t, err := FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return out, err
	}
	if s.Tiles != DigitalTiles && s.Tiles != RealTiles {
		return out, refuse.Invalid("err_tiles", "tiles", s.Tiles)
	}
	why, err := action.CleanWhy(s.Why)
	if err != nil {
		return out, err
	}
	out.Tournament = t
	if t.Tiles == s.Tiles {
		return out, nil
	}
	if err := out.atTables(tx.DB, 0); err != nil {
		return out, err
	}
	tx.Record(action.Entry{Event: t.ID, On: t.About(), Why: why, Is: action.Step{Was: t.Tiles, Is: s.Tiles}})
	out.Tournament.Tiles = s.Tiles
	return out, tx.Model(&t).Update("tiles", s.Tiles).Error
}

// SetTableTiles sets the kind of tiles for one table of a round; empty means the tournament's. The change is a Conflict
// once the table's first game has begun. Later rounds use the setting for the same table number.
type SetTableTiles struct {
	Table int64  `json:"table,omitempty" path:"id" minimum:"1"`
	Tiles string `json:"tiles" doc:"digital or real; for a table also empty: as in the event"`
	Why   string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

// TableTilesSet is a table with changed tiles, and the effect.
type TableTilesSet struct {
	Table Table
	TilesSet
}

var _ = action.NewKind[SetTableTiles](action.Kind{Name: "table.tiles", Right: rights.MayStartRound,
	Changes: []action.What{action.TopicSeats},
	Details: action.Steps("tiles.")})

func (s SetTableTiles) Do(tx *action.Tx) (out TableTilesSet, err error) {
	table, err := FindTable(tx.DB, s.Table)
	if err != nil {
		return out, err
	}
	table = table.WithoutCodes()
	out.Table = table
	if s.Tiles != "" && s.Tiles != DigitalTiles && s.Tiles != RealTiles {
		return out, refuse.Invalid("err_tiles", "tiles", s.Tiles)
	}
	why, err := action.CleanWhy(s.Why)
	if err != nil {
		return out, err
	}
	if table.begun() {
		return out, refuse.Conflict("err_table_started", "table", table.Number)
	}
	if out.Tournament, err = FindTournament(tx.DB, table.TournamentID); err != nil || table.Tiles == s.Tiles {
		return out, err
	}
	round, err := FindRound(tx.DB, table.RoundID)
	if err != nil {
		return out, err
	}
	was := out.Tournament.Physical(table)
	out.Table.Tiles = s.Tiles
	if out.Round = round.Number; out.Tournament.Physical(out.Table) != was {
		if err := out.atTables(tx.DB, table.ID); err != nil {
			return out, err
		}
	}
	tx.Record(action.Entry{Event: table.TournamentID, On: action.About{Round: round.Number, Table: table.Number},
		Why: why, Is: action.Step{Was: table.Tiles, Is: s.Tiles}})
	return out, tx.Model(&Table{}).Where("id = ?", table.ID).Update("tiles", s.Tiles).Error
}

// begun reports whether a game at the table has begun.
func (t Table) begun() bool {
	for _, g := range t.Games {
		if g.Status != game.Waiting || g.StartedAt != 0 {
			return true
		}
	}
	return false
}

// atTables computes the effect on the tables of the current or drafted round. If only is not 0, it considers only the
// table with that ID.
func (o *TilesSet) atTables(db *gorm.DB, only int64) error {
	rounds, err := store.All[Round](db.Where("tournament_id = ? AND status <> ?", o.Tournament.ID,
		RoundFinished).Order("number DESC").Limit(1))
	if err != nil || len(rounds) == 0 {
		return err
	}
	tables, err := FillTables(db, db.Where("round_id = ?", rounds[0].ID))
	if err != nil {
		return err
	}
	whole, err := store.All[TableDevice](db.Where("tournament_id = ?", o.Tournament.ID))
	if err != nil {
		return err
	}
	served := store.MapOf(whole, func(d TableDevice) (int, bool) { return d.Number, true })
	o.Round = rounds[0].Number
	for _, t := range tables {
		switch {
		case only != 0 && t.ID != only:
			continue
		case t.begun():
			o.Begun = append(o.Begun, t.Number)
			continue
		case only == 0 && t.Tiles != "":
			o.Own = append(o.Own, t.Number)
			continue
		}
		o.Changed = append(o.Changed, t.Number)
		if served[t.Number] {
			o.Whole = append(o.Whole, t.Number)
		}
		for _, seat := range t.Seats {
			if o.Players++; seat.Player.Joined() {
				o.Joined++
			}
		}
	}
	return nil
}
