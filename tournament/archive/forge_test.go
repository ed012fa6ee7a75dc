package archive

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// forging is a played tournament in a file, the source of forged copies.
type forging struct {
	*hall
	event tournament.Tournament
	file  string
}

// playedForForging plays a tournament with every kind of fact to forge: two rounds by standings and a final, seats
// swapped by hand, a promise, a player who leaves, a warning, a correction, a cancelled disqualification and a point
// penalty.
func playedForForging(t *testing.T) forging {
	t.Helper()
	h := newHall(t)
	e := h.event(8, func(f *format.Format) { f.Stages[0].Rounds, f.Stages[0].Seating = 2, pairing.Standings })
	play := func() {
		for _, table := range h.start(e) {
			h.play(table.Game)
		}
		h.later()
	}
	h.later()
	do(h, draw.PromiseSeed{Tournament: e.ID})
	r := do(h, draw.PairRound{Tournament: e.ID,
		PairingOptions: draw.PairingOptions{Method: pairing.Random}})
	seats := h.seats(r.ID)
	do(h, people.SwapSeats{Round: r.ID, A: seats[0][0], B: seats[1][1], Why: "the table is too high"})
	do(h, draw.StartRound{Round: r.ID, Publish: true})
	tables, err := game.CurrentInRound(t.Context(), h.DB, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if _, err := h.Games.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Rita"), table.Game, "",
			engine.Warn{Grounds: engine.Grounds{Reason: "talked", By: "Rita"}, Seat: 1}); err != nil {
			t.Fatal(err)
		}
		h.play(table.Game)
	}
	h.later()
	lines := h.lines(tables[0].Game)
	lines[0].Points, lines[1].Points = lines[0].Points+12, lines[1].Points-12
	do(h, result.CorrectResult{Game: tables[0].Game, Rev: 2,
		Correction: result.Correction{Lines: lines, Why: "a tile was counted twice"}})
	do(h, result.GivePenalty{PenaltyGrounds: result.PenaltyGrounds{Tournament: e.ID, Player: seats[0][1],
		Reason: "late"}, Points: 20})
	p := do(h, result.ProposeDisqualification{PenaltyGrounds: result.PenaltyGrounds{Tournament: e.ID,
		Player: seats[0][2], Reason: "cheated"}})
	if _, err := action.Do(t.Context(), h.Desk, rights.Staff(rights.RoleHeadReferee, "Hal"),
		result.SecondPenalty{ID: p.ID}); err != nil {
		t.Fatal(err)
	}
	do(h, result.CancelPenalty{ID: p.ID, Why: "it was somebody else"})
	do(h, people.LeaveEvent{Tournament: e.ID, Player: seats[1][3], Why: "ill"})
	play()
	play()
	f := forging{h, e, filepath.Join(t.TempDir(), "played.db")}
	if _, err := h.DB.WriteSQL.Exec("VACUUM INTO $1", f.file); err != nil {
		t.Fatal(err)
	}
	return f
}

// seats returns the players at a round's tables.
func (h *hall) seats(round int64) (tables pairing.Round) {
	h.t.Helper()
	all, err := tournament.FillTables(h.DB.Read, h.DB.Read.Where("round_id = ?", round))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, t := range all {
		var players []int64
		for _, s := range t.Seats {
			players = append(players, s.PlayerID)
		}
		tables = append(tables, players)
	}
	return tables
}

// lines returns the lines of a game's latest result.
func (h *hall) lines(game int64) []game.ResultLine {
	h.t.Helper()
	latest, err := result.LatestResult(h.t.Context(), h.DB, game)
	if err != nil {
		h.t.Fatal(err)
	}
	return latest.Lines
}

// forge changes a copy of the tournament by SQL, without its triggers, and recomputes all checksums and chains.
func (f forging) forge(t *testing.T, statements string) *store.DB {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "forged.db")
	data, err := os.ReadFile(f.file)
	if err == nil {
		err = os.WriteFile(copied, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.OpenScratch(copied)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	storetest.DropTriggers(t, s.WriteSQL)
	if _, err := s.WriteSQL.Exec("PRAGMA foreign_keys = OFF"); err != nil {
		t.Fatal(err)
	}
	err = s.Write.Transaction(func(tx *gorm.DB) error {
		for _, one := range strings.Split(statements, ";") {
			done := tx.Exec(one)
			if done.Error != nil || done.RowsAffected == 0 {
				return fmt.Errorf("%s: %d rows, %w", one, done.RowsAffected, done.Error)
			}
		}
		return tx.Exec("UPDATE games SET head = ''").Error
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Resum(t, s.WriteSQL)
	if err := store.ChainAll(t.Context(), s.WriteSQL); err != nil {
		t.Fatal(err)
	}
	return s
}

// faults returns the faults that Check finds in a database.
func (f forging) faults(t *testing.T, s *store.DB) (all string) {
	t.Helper()
	verdict, err := Check(t.Context(), s, f.event.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range verdict.Faults {
		all += fault.What + "\n"
	}
	return all
}

// archived returns the faults of an archive of a database.
func (f forging) archived(t *testing.T, s *store.DB) string {
	t.Helper()
	a, err := Of(t.Context(), s, f.event.ID)
	if err != nil {
		t.Fatal(err)
	}
	read, err := Read(pack(t, a))
	if err == nil {
		_, err = read.Verify(t.Context())
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// forgeries returns database changes, each with a part of the fault that it causes.
func forgeries() []struct{ name, sql, want string } {
	const (
		move     = `(SELECT min(id) FROM game_events WHERE kind = 'tile_drawn')`
		first    = `(SELECT min(id) FROM games)`
		lastGame = `(SELECT max(id) FROM games)`
		revision = `INSERT INTO results (game_id, rev, status, ending, actor, why, at)
		SELECT id, 3, 'confirmed', 'emptied', 'organizer:Ann', 'wrong seat', finished_at + 1000
		FROM games WHERE id = ` + lastGame + `;
		INSERT INTO result_lines (result_id, seat, player_id, points, wins, charge, reason, tiles, opened)
		SELECT (SELECT max(id) FROM results), l.seat, l.player_id, -l.points, l.wins, l.charge, l.reason, l.tiles,
		l.opened FROM result_lines l JOIN results r ON r.id = l.result_id
		WHERE r.game_id = ` + lastGame + ` AND r.rev = 2`
		seedRow    = `UPDATE rounds SET seed = seed + 1 WHERE number = 1`
		seedReport = `UPDATE rounds SET report = json_set(report, '$.seed', seed) WHERE number = 1`
		seedRecord = `UPDATE audit SET data = json_set(data, '$.seed', (SELECT seed FROM rounds WHERE number = 1))
		WHERE action = 'round.seat' AND json_extract(about, '$.round') = 1`
		swapSeats = `UPDATE seats SET player_id = -player_id
		WHERE seat = 0 AND round_id = (SELECT id FROM rounds WHERE number = 2);
		UPDATE seats SET player_id = -o.player_id
		FROM (SELECT round_id, table_id, player_id FROM seats WHERE seat = 0) o
		WHERE seats.seat = 0 AND seats.player_id < 0 AND o.round_id = seats.round_id AND o.table_id <> seats.table_id`
	)
	noResult := func(game string) string {
		return `DELETE FROM result_lines WHERE result_id IN (SELECT id FROM results WHERE game_id = ` + game + `);
		DELETE FROM results WHERE game_id = ` + game
	}
	neverPlayed := func(game string) string {
		return noResult(game) + `; DELETE FROM game_events WHERE game_id = ` + game
	}
	return []struct{ name, sql, want string }{
		{"all logs, and a result", `DELETE FROM game_events; UPDATE result_lines SET points = -points`,
			"round 1, table 2, game 1: there is a result, but the log is missing"},
		{"one log", `DELETE FROM game_events WHERE game_id = ` + lastGame,
			"round 3, table 1, game 1: there is a result, but the log is missing"},
		{"the end of a log", `DELETE FROM game_events WHERE game_id = ` + lastGame + ` AND kind = 'game_ended'`,
			"there is a result, but the log ends before the game does"},
		{"a log that is no log", `UPDATE game_events SET kind = 'moon_rose' WHERE id = ` + move,
			"its log cannot be read"},
		{"a game, as if it had not been",
			neverPlayed(first) + `; DELETE FROM games WHERE id = ` + first,
			"round 1, table 1: there are 0 games"},
		{"a game that waits again",
			neverPlayed(first) +
				`; UPDATE games SET status = 'waiting', finished_at = 0, started_at = 0 WHERE id = ` + first,
			"the game is missing"},
		{"a result", noResult(first), "the game is over, but there is no result"},
		{"the last round", neverPlayed(lastGame) + `; DELETE FROM games WHERE id = ` + lastGame + `;
			DELETE FROM seats WHERE round_id = (SELECT max(id) FROM rounds);
			DELETE FROM tables WHERE round_id = (SELECT max(id) FROM rounds); DELETE FROM rounds WHERE number = 3`,
			"round 3 is missing, but the records say that it was finished"},
		{"a revision without a record", revision,
			"round 3, table 1, game 1, revision 3 of the result: there is no record of it by organizer:Ann"},
		{"lines of a correction",
			`UPDATE result_lines SET points = points * 2 WHERE result_id = (SELECT id FROM results WHERE rev = 3)`,
			"revision 3 of the result: the record of it says"},
		{"a correction is gone",
			`DELETE FROM result_lines WHERE result_id = (SELECT id FROM results WHERE rev = 3);
			DELETE FROM results WHERE rev = 3`, "round 1, table 1, game 1 has no such revision 3"},
		{"who corrected",
			`UPDATE results SET actor = 'scorekeeper:Sue' WHERE rev = 3;
			UPDATE audit SET actor = 'scorekeeper:Sue' WHERE action = 'result.correct_result'`,
			"the role of scorekeeper:Sue does not allow that"},
		{"when it was corrected", `UPDATE results SET at = at - 600000000 WHERE rev = 3`,
			"revision 3 of the result: it is dated"},
		{"points without a ruling",
			`INSERT INTO sanctions (tournament_id, player_id, round, kind, points, rule, reason, actor, at, correction)
			SELECT tournament_id, player_id, round, kind, 1200, '', 'bad', actor, at, ''
			FROM sanctions WHERE kind = 'points'`,
			"there is no ruling on record that gives 100 points (points), by organizer:Ann"},
		{"other points", `UPDATE sanctions SET points = 1200 WHERE kind = 'points'`,
			"there is no ruling on record that gives 100 points"},
		{"another player's penalty",
			`UPDATE sanctions SET player_id = (SELECT id FROM players
			WHERE id NOT IN (SELECT player_id FROM sanctions) LIMIT 1) WHERE kind = 'points'`,
			"there is no ruling on record"},
		{"no penalty", `DELETE FROM sanctions WHERE kind = 'points'`, "record of sanction.give by organizer:Ann"},
		{"a disqualification counts again", `DELETE FROM sanction_decisions WHERE decision = 'cancelled'`,
			"record of sanction.cancelled by organizer:Ann"},
		{"confirmed by the same hand",
			`UPDATE sanction_decisions SET actor = 'organizer:Ann' WHERE decision = 'seconded';
			UPDATE audit SET actor = 'organizer:Ann' WHERE action = 'sanction.seconded'`,
			"organizer:Ann both proposed and confirmed it"},
		{"decided before it was given", `UPDATE sanction_decisions SET at = at - 600000 WHERE decision = 'seconded'`,
			"it was decided at"},
		{"a round missed dearly", `UPDATE missed_rounds SET charge = charge + 1200`,
			"points to miss it, without a record"},
		{"a round missed and played",
			`UPDATE missed_rounds SET player_id = (SELECT min(player_id) FROM seats
			WHERE round_id = (SELECT id FROM rounds WHERE number = 2))`, "missed it, and sat at table"},
		{"a game that ended after its round",
			`UPDATE rounds SET finished_at = finished_at - 1 WHERE number = 3;
			UPDATE games SET started_at = 1 WHERE id = ` + lastGame, "round 3, table 1, game 1: it ended at"},
		{"the record of a confirmation",
			`DELETE FROM audit WHERE id = (SELECT min(id) FROM audit WHERE action = 'result.confirm_result')`,
			"round 1, table 1, game 1, revision 2 of the result: there is no record of it"},
		{"the record of a penalty", `DELETE FROM audit WHERE action = 'sanction.give'`,
			"there is no ruling on record that gives 20 points"},
		{"the record of an exchange", `DELETE FROM audit WHERE action = 'round.swap'`,
			"round 1: its seats were changed by hand 1 times, 0 are on record"},
		{"the record of a draw", `DELETE FROM audit WHERE action = 'round.seat' AND json_extract(about, '$.round') = 2`,
			"round 2: there is no record that it was drawn"},
		{"the record of a publication",
			`DELETE FROM audit WHERE action = 'round.publish' AND json_extract(about, '$.round') = 2`,
			"round 2: there is no record of round.publish"},
		{"the record of an end",
			`DELETE FROM audit WHERE action = 'round.finish' AND json_extract(about, '$.round') = 2`,
			"round 2: it is finished, the records say"},
		{"the record of a promise", `DELETE FROM audit WHERE action = 'round.promise'`,
			"round 1, promise of its seed: there is no record of the hash"},
		{"the record of the roster", `DELETE FROM audit WHERE action = 'people.enter'`,
			"there is no record that names the player"},
		{"the record of the event", `DELETE FROM audit WHERE action = 'tournament.create'`,
			"there is no record that the event was created"},
		{"the record of its end", `DELETE FROM audit WHERE action = 'tournament.finish'`,
			"the event is over, but there is no record that it ended"},
		{"an event that goes on", `UPDATE tournaments SET status = 'running'`, "the records say that it ended"},
		{"records in another order of time",
			`UPDATE audit SET at = at - 86400000 WHERE action = 'round.publish' AND json_extract(about, '$.round') = 2`,
			"before the previous record"},
		{"a move of another player", `UPDATE game_events
			SET actor = (SELECT 'player:' || s.player_id FROM seats s JOIN games g ON g.table_id = s.table_id
			WHERE g.id = game_events.game_id AND 'player:' || s.player_id <> game_events.actor LIMIT 1)
			WHERE id = ` + move, "tile_drawn by player:"},
		{"a move of a stranger", `UPDATE game_events SET actor = 'player:4711' WHERE id = ` + move,
			"tile_drawn by player:4711: the player does not sit at the table"},
		{"a move of an official", `UPDATE game_events SET actor = 'organizer:Ann' WHERE id = ` + move,
			"tile_drawn by organizer:Ann: it was the turn or the right of the player at seat"},
		{"a move of a device",
			`UPDATE game_events SET actor = 'table:' || (SELECT t.number FROM tables t
			JOIN games g ON g.table_id = t.id WHERE g.id = game_events.game_id) WHERE id = ` + move,
			": it was the turn or the right of the player at seat"},
		{"a move of the program", `UPDATE game_events SET actor = 'program:clock' WHERE id = ` + move,
			"tile_drawn by program:clock"},
		{"a ruling of a player", `UPDATE game_events SET actor = (SELECT actor FROM game_events g WHERE g.id = ` +
			move + `) WHERE kind = 'warning_given' AND game_id = ` + first, "warning_given by player:"},
		{"a ruling of an observer", `UPDATE game_events SET actor = 'observer:Rita' WHERE kind = 'warning_given'`,
			"warning_given by observer:Rita: their role does not allow that"},
		{"a ruling of another official", `UPDATE game_events SET actor = 'referee:Bob' WHERE kind = 'warning_given'`,
			"the ruling itself says that it is by Rita"},
		{"a deal of an official", `UPDATE game_events SET actor = 'organizer:Ann' WHERE seq = 1`,
			"game_started by organizer:Ann"},
		{"another seed", seedRow, "round 1: its seed is"},
		{"another seed and report", seedRow + ";" + seedReport, "the record says"},
		{"another seed, report and record", seedRow + ";" + seedReport + ";" + seedRecord,
			"round 1: its method (random) and seed ("},
		{"another method",
			`UPDATE rounds SET method = 'manual', report = json_set(report, '$.method', 'manual') WHERE number = 2`,
			`round 2: it was drawn by "manual", the record says "standings"`},
		{"other seats", swapSeats, "sit there; by the draw and the records"},
		{"other seats that came so",
			`UPDATE rounds SET report = json_set(report,
			'$.drawn.seats[0][0]', json_extract(report, '$.drawn.seats[0][1]'),
			'$.drawn.seats[0][1]', json_extract(report, '$.drawn.seats[0][0]')) WHERE number = 2`,
			"round 2: its method (standings) and seed ("},
		{"drawn by other places",
			`UPDATE rounds SET report = json_set(report, '$.drawn.players[0][2]', 8) WHERE number = 2`, "round 2"},
		{"a game before its round",
			`UPDATE rounds SET published_at = published_at + 7200000, started_at = started_at + 7200000,
			finished_at = finished_at + 7200000 WHERE number = 1`, "before its round was published"},
		{"a round that ended before it began", `UPDATE rounds SET finished_at = started_at - 3600000 WHERE number = 1`,
			"round 1: finished_at is"},
		{"a promise that came later", `UPDATE seed_promises SET at = at + 86400000`, "after the round was published"},
		{"a promise of another seed", `UPDATE seed_promises SET seed = seed + 1`, "the promise of round 1"},
	}
}

// TestForgeries checks that a fault names a forged fact by its contradiction to others, in a database with all triggers
// dropped and all checksums recomputed, and in an archive of it.
func TestForgeries(t *testing.T) {
	testmode.SkipUnderRace(t)
	f := playedForForging(t)
	t.Run("as it was played", func(t *testing.T) {
		if file, archive := f.faults(t, f.DB), f.archived(t, f.DB); file != "" || archive != "" {
			t.Fatalf("%s\n%s", file, archive)
		}
	})
	alsoArchived := []string{"all logs, and a result", "one log", "a revision without a record",
		"points without a ruling", "the record of a confirmation", "a move of another player",
		"another seed, report and record", "other seats", "records in another order of time"}
	for _, row := range forgeries() {
		t.Run(row.name, func(t *testing.T) {
			forged := f.forge(t, row.sql)
			if file := f.faults(t, forged); !strings.Contains(file, row.want) {
				t.Errorf("the database, want %q: %s", row.want, file)
			}
			if !slices.Contains(alsoArchived, row.name) { // Check and Verify share the implementation
				return
			}
			if archive := f.archived(t, forged); !strings.Contains(archive, row.want) {
				t.Errorf("the archive, want %q: %s", row.want, archive)
			}
		})
	}
	t.Run("an archive that leaves games out", func(t *testing.T) {
		a, _ := f.packed(f.event)
		for _, why := range []string{unreadable, notOver, sealed, ""} {
			err := without(t, a, why)
			if err == nil || !strings.Contains(err.Error(), "there is a result, but the log is missing") {
				t.Errorf("%q: %v", why, err)
			}
		}
	})
}

// TestFamiliesOfADraw checks that a round in which families mattered is drawn again while they are unchanged, and that
// otherwise a note says that it cannot be.
func TestFamiliesOfADraw(t *testing.T) {
	h := newHall(t)
	e := h.event(8)
	var players []int64
	if err := h.DB.Read.Raw("SELECT id FROM players ORDER BY number LIMIT 3").Scan(&players).Error; err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		do(h, tournament.SetFamily{Player: p, Family: "Rossi"})
	}
	h.start(e)
	derived := func() bool {
		t.Helper()
		v, err := Check(t.Context(), h.DB, e.ID)
		if err != nil || len(v.Faults) > 0 {
			t.Fatal(v, err)
		}
		return !slices.ContainsFunc(v.Notes, func(note string) bool {
			return strings.HasPrefix(note, "round 1: it cannot be derived again")
		})
	}
	if !derived() {
		t.Error("it is not drawn again")
	}
	do(h, tournament.SetFamily{Player: players[0], Family: ""})
	if derived() {
		t.Error("it is drawn again, with other families")
	}
}

// without verifies an archive without its first log, left out for the given reason, with all hashes recomputed.
func without(t *testing.T, a *Archive, why string) error {
	t.Helper()
	name := a.gameFiles()[0]
	made := &Archive{Manifest: a.Manifest, files: maps.Clone(a.files)}
	delete(made.files, name)
	m := &made.Manifest
	m.Event.Logs--
	m.Files = slices.DeleteFunc(slices.Clone(m.Files), func(f File) bool { return f.Name == name })
	if why != "" {
		var id int64
		fmt.Sscanf(name, "games/%d.json", &id)
		m.LeftOut = []LeftOut{{Game: id, Why: why}}
	}
	made.files[manifestName] = m.text()
	read, err := Read(zipped(t, made.entries()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = read.Verify(t.Context())
	return err
}
