package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// SetTiles says what an event is played with: all its tables that have no setting of their own and whose first game
// has not begun. Set back, everything is as it was at the tables whose first game has not begun meanwhile.
type SetTiles struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Tiles      string `json:"tiles" doc:"digital or real; of a table also empty: what the event is"`
	Why        string `json:"why,omitempty" maxLength:"500" doc:"for the log"`
}

// TilesSet is what a change of the tiles does at the tables of the round that is on, or drafted: the lists hold their numbers.
type TilesSet struct {
	Tournament Tournament
	Round      int // its number, 0 for none
	Changed    []int
	Begun      []int // stay as they are: a game has begun
	Own        []int // stay as they are: they have a setting of their own
	Players    int   // who play at the changed tables
	Joined     int   // of them with a device of their own
	Whole      []int // changed ones which one device serves
}

var _ = door.NewKind[SetTiles](door.Kind{Name: "tournament.tiles", Right: rights.MaySeatRound, Changes: []door.What{door.TopicSettings},
	Details: door.Steps("tiles.")})

func (s SetTiles) Do(tx *door.Tx) (out TilesSet, err error) {
	t, err := FindTournament(tx.DB, s.Tournament)
	if err != nil {
		return out, err
	}
	if s.Tiles != DigitalTiles && s.Tiles != RealTiles {
		return out, refuse.Invalid("err_tiles", "tiles", s.Tiles)
	}
	why, err := door.CleanWhy(s.Why)
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
	tx.Record(door.Entry{Event: t.ID, On: t.about(), Why: why, Is: door.Step{Was: t.Tiles, Is: s.Tiles}})
	out.Tournament.Tiles = s.Tiles
	return out, tx.Model(&t).Update("tiles", s.Tiles).Error
}

// SetTableTiles says what one table of a round is played with, empty: what the event is. Once its first game has begun
// it is a Conflict. The table of that number in later rounds is played so too.
type SetTableTiles struct {
	Table int64  `json:"table,omitempty" path:"id" minimum:"1"`
	Tiles string `json:"tiles" doc:"digital or real; of a table also empty: what the event is"`
	Why   string `json:"why,omitempty" maxLength:"500" doc:"for the log"`
}

// TableTilesSet is a table that is to be played with other tiles, and what that does there.
type TableTilesSet struct {
	Table Table
	TilesSet
}

var _ = door.NewKind[SetTableTiles](door.Kind{Name: "table.tiles", Right: rights.MayStartRound, Changes: []door.What{door.TopicSeats},
	Details: door.Steps("tiles.")})

func (s SetTableTiles) Do(tx *door.Tx) (out TableTilesSet, err error) {
	table, err := findTable(tx.DB, s.Table)
	if err != nil {
		return out, err
	}
	table = table.withoutCodes()
	out.Table = table
	if s.Tiles != "" && s.Tiles != DigitalTiles && s.Tiles != RealTiles {
		return out, refuse.Invalid("err_tiles", "tiles", s.Tiles)
	}
	why, err := door.CleanWhy(s.Why)
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
	tx.Record(door.Entry{Event: table.TournamentID, On: door.About{Round: round.Number, Table: table.Number}, Why: why, Is: door.Step{Was: table.Tiles, Is: s.Tiles}})
	return out, tx.Model(&Table{}).Where("id = ?", table.ID).Update("tiles", s.Tiles).Error
}

// begun tells whether a game at the table has begun.
func (t Table) begun() bool {
	for _, g := range t.Games {
		if g.Status != game.Waiting || g.StartedAt != 0 {
			return true
		}
	}
	return false
}

// atTables fills in what other tiles do at the tables of the round that is on or drafted, or at one of them.
func (o *TilesSet) atTables(db *gorm.DB, only int64) error {
	rounds, err := storage.All[Round](db.Where("tournament_id = ? AND status <> ?", o.Tournament.ID, RoundFinished).Order("number DESC").Limit(1))
	if err != nil || len(rounds) == 0 {
		return err
	}
	tables, err := FillTables(db, db.Where("round_id = ?", rounds[0].ID))
	if err != nil {
		return err
	}
	whole, err := storage.All[TableDevice](db.Where("tournament_id = ?", o.Tournament.ID))
	if err != nil {
		return err
	}
	served := storage.MapOf(whole, func(d TableDevice) (int, bool) { return d.Number, true })
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
