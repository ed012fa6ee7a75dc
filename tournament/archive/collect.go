package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency/sequencer"
)

// Of returns the archive of a tournament, as of one moment even during play. Two archives of the same tournament
// are equal byte by byte. A program that serves the database appends to the transparency log first, so that the archive
// has the whole log.
func Of(ctx context.Context, s *store.DB, tournamentID int64) (*Archive, error) {
	if _, err := sequencer.New(s).Step(ctx, tournamentID); err != nil {
		return nil, err
	}
	c := collecting{a: &Archive{files: map[string][]byte{}}}
	if err := s.Snapshot(ctx, func(db *gorm.DB) error { return c.read(db, tournamentID) }); err != nil {
		return nil, err
	}
	all, err := c.a.rows()
	if err != nil {
		return nil, err
	}
	again, err := c.a.again(ctx, all, nil) // from the archive's data alone, as Verify does
	if err != nil {
		return nil, err
	}
	for _, name := range derived {
		c.a.files[name] = again.a.files[name]
	}
	c.seal()
	return c.a, nil
}

// derived lists the files that are computed from the others.
var derived = []string{seatingName, standingsName}

// collecting is an archive being built.
type collecting struct {
	a        *Archive
	event    tournament.Tournament
	rows     map[string]rows
	leftOut  []LeftOut
	games    []export.Game    // those with a log
	families map[int64]string // by player; empty if unknown
}

// read reads everything that was decided and played. It refuses practice tables and rehearsals.
func (c *collecting) read(db *gorm.DB, id int64) (err error) {
	if c.event, err = tournament.FindTournament(db, id); err != nil {
		return err
	}
	if c.event.Practice != "" || c.event.Rehearses != 0 {
		return refuse.Conflict("err_archive_no_event")
	}
	c.rows = map[string]rows{}
	for _, p := range parts {
		if c.rows[p.table], err = p.read(db, id); err != nil {
			return err
		}
	}
	if err := c.leaveFamilies(); err != nil {
		return err
	}
	for _, file := range topics {
		if of := partsOf(file); file == actionsName {
			c.a.files[file] = writeLines(of[0], c.rows[of[0].table])
		} else if len(of) > 0 {
			c.a.files[file] = writeFile(of, c.rows)
		}
	}
	c.a.files[formatName] = append([]byte(c.event.FormatJSON), '\n')
	c.a.files[rulesName] = append([]byte(c.event.RulesJSON), '\n')
	games, err := export.GamesIn(db, c.event)
	if err != nil {
		return err
	}
	c.games = games
	if err := c.readFamilies(db); err != nil {
		return err
	}
	if err := c.readLog(db); err != nil {
		return err
	}
	return c.addGames(db, games)
}

// readFamilies reads the players' families, which are needed to repeat the draws.
func (c *collecting) readFamilies(db *gorm.DB) error {
	var all []struct {
		ID     int64
		Family string
	}
	err := db.Table("players").Select("id", "family").
		Where("tournament_id = ? AND family <> ''", c.event.ID).Find(&all).Error
	c.families = map[int64]string{}
	for _, p := range all {
		c.families[p.ID] = spelling.Fold(p.Family)
	}
	return err
}

// leaveFamilies removes the pairs of a family from the rounds' reports.
func (c *collecting) leaveFamilies() error {
	at := slices.Index(partNamed("rounds").carry, "report")
	for _, row := range c.rows["rounds"] {
		text, _ := row[at].(string)
		if !strings.Contains(text, `"family"`) {
			continue
		}
		var rep tournament.RoundReport
		if err := json.Unmarshal([]byte(text), &rep); err != nil {
			return fmt.Errorf("report of a round: %w", err)
		}
		for _, round := range rep.Why {
			for i := range round {
				round[i].Together = slices.DeleteFunc(round[i].Together,
					func(t pairing.Close) bool { return t.Why == "family" })
			}
		}
		data, err := json.Marshal(rep)
		if err != nil {
			return err
		}
		row[at] = string(data)
	}
	return nil
}

// addGames adds the logs of finished games. Logs of other games would reveal pool and racks.
func (c *collecting) addGames(db *gorm.DB, games []export.Game) error {
	var same []int64 // games whose deal is still being played at another table
	err := db.Raw(sealedGames, map[string]any{"event": c.event.ID}).Scan(&same).Error
	held := store.MapOf(same, func(id int64) (int64, bool) { return id, true })
	for _, g := range games {
		_, fault := export.Log(g)
		switch {
		case fault != nil:
			c.leave(g, unreadable, "")
		case !g.Over():
			c.leave(g, notOver, "")
		case held[g.Game]:
			c.leave(g, sealed, g.Head)
		default:
			c.a.files[gameName(g.Game)] = g.Lines()
		}
	}
	return err
}

func (c *collecting) leave(g export.Game, why, head string) {
	c.leftOut = append(c.leftOut, LeftOut{g.Game, why, head})
}

// derive adds the files that are computed from the others.
func (c *collecting) derive(ctx context.Context, s *store.DB) error {
	seating, err := c.seating()
	if err != nil {
		return err
	}
	standings, err := c.standings(ctx, s)
	if err != nil {
		return err
	}
	for name, v := range map[string]any{seatingName: seating, standingsName: standings} {
		data, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		c.a.files[name] = append(data, '\n')
	}
	return nil
}

// seal adds the manifest.
func (c *collecting) seal() {
	m := Manifest{Format: Format, Version: Version, Program: program(), LeftOut: c.leftOut,
		Event: Summary{Name: c.event.Name, Place: c.event.Place, Status: c.event.Status, Created: c.event.CreatedAt,
			Until:   c.until(),
			Players: len(c.rows["players"]), Rounds: len(c.rows["rounds"]), Games: len(c.rows["games"]),
			Logs: len(c.a.gameFiles()), Actions: len(c.rows["audit"])}}
	if m.LeftOut == nil {
		m.LeftOut = []LeftOut{}
	}
	if _, _, err := c.a.count(&m, c.rows); err != nil {
		panic(err) // the files were just written here
	}
	c.a.setManifest(m)
}

// setManifest sets the manifest, with the sizes and hashes of all other files.
func (a *Archive) setManifest(m Manifest) {
	delete(a.files, manifestName)
	m.Files = []File{}
	for _, name := range a.names() {
		m.Files = append(m.Files, File{name, len(a.files[name]), hashOf(a.files[name])})
	}
	data := m.text()
	if err := json.Unmarshal(data, &m); err != nil {
		panic(err) // was just encoded here
	}
	a.Manifest = m
	a.files[manifestName] = data
}

// until returns the newest time in the rows.
func (c *collecting) until() engine.Millis {
	newest := c.event.CreatedAt
	for _, p := range parts {
		for i, name := range p.carry {
			if name != "at" && name != "finished_at" {
				continue
			}
			for _, row := range c.rows[p.table] {
				if at, is := row[i].(int64); is {
					newest = max(newest, engine.Millis(at))
				}
			}
		}
	}
	return newest
}
