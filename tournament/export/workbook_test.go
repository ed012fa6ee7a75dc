package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rosterfile"
)

// asRead reads a workbook back as rows of texts under the CSV's columns, sheet after sheet. It fails if a cell of a
// number column is not a number, or one of a text column is not stored as text.
func asRead(t *testing.T, list List, book []byte) [][]string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := [][]string{list.Columns}
	for _, sheet := range f.GetSheetList() {
		cells, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil || len(cells) == 0 {
			t.Fatalf("%s: %v", sheet, err)
		}
		for i, row := range cells[1:] {
			read := make([]string, len(list.Columns))
			for j, text := range row {
				at, err := excelize.CoordinatesToCellName(j+1, i+2)
				if err != nil {
					t.Fatal(err)
				}
				read[columnAt(t, list, cells[0][j])] = cellRead(t, f, sheet, at, text)
			}
			rows = append(rows, read)
		}
	}
	return rows
}

func columnAt(t *testing.T, list List, name string) int {
	t.Helper()
	for i, column := range list.Columns {
		if column == name {
			return i
		}
	}
	t.Fatalf("column %q is not in the CSV", name)
	return -1
}

// cellRead returns a cell as the CSV has it.
func cellRead(t *testing.T, f *excelize.File, sheet, at, text string) string {
	t.Helper()
	kind, err := f.GetCellType(sheet, at)
	if err != nil {
		t.Fatal(err)
	}
	if formula, err := f.GetCellFormula(sheet, at); formula != "" || err != nil {
		t.Errorf("%s %s is a formula: %s %v", sheet, at, formula, err)
	}
	switch kind {
	case excelize.CellTypeBool:
		return map[string]string{"0": "false", "1": "true", "FALSE": "false", "TRUE": "true"}[text]
	case excelize.CellTypeInlineString, excelize.CellTypeSharedString:
		id, err := f.GetCellStyle(sheet, at)
		if err != nil {
			t.Fatal(err)
		}
		if style, err := f.GetStyle(id); err != nil || style.NumFmt != 49 {
			t.Errorf("%s %s would be another thing when edited: %+v %v", sheet, at, style, err)
		}
		return rosterfile.GuardCell(text)
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" {
		t.Errorf("%s %s is neither text nor number: %q", sheet, at, text)
	}
	return text
}

// agrees compares a workbook with the CSV of the same list, and returns the names of its sheets.
func agrees(t *testing.T, list List, what string) []string {
	t.Helper()
	var text, book, again, third bytes.Buffer
	if err := list.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	for _, out := range []*bytes.Buffer{&book, &again, &third} {
		if err := list.WriteXLSX(out, what); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(book.Bytes(), again.Bytes()) || !bytes.Equal(book.Bytes(), third.Bytes()) {
		t.Errorf("%s: two files of the same list differ", what)
	}
	want, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text.String(), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if got := asRead(t, list, book.Bytes()); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the workbook has\n%q\nthe CSV\n%q", what, got, want)
	}
	f, err := excelize.OpenReader(bytes.NewReader(book.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, sheet := range f.GetSheetList() {
		if width, err := f.GetColWidth(sheet, "A"); err != nil || width < narrowest+2 || width > widest+2 {
			t.Errorf("%s: column A of %s is %v characters wide: %v", what, sheet, width, err)
		}
		if panes, err := f.GetPanes(sheet); err != nil || !panes.Freeze || panes.YSplit != 1 {
			t.Errorf("%s: the head of %s does not stay: %+v, %v", what, sheet, panes, err)
		}
	}
	return f.GetSheetList()
}

// listed returns all lists of a tournament, including the roster.
func (h *hall) listed(e tournament.Tournament) map[string]List {
	h.t.Helper()
	players, err := tournament.PlayersFull(h.t.Context(), h.DB, organizer, e.ID)
	if err != nil {
		h.t.Fatal(err)
	}
	all := map[string]List{"roster": RosterList(players)}
	for _, what := range Lists {
		if all[what], err = ListOf(h.t.Context(), h.DB, e.ID, what, tournament.SeesAll); err != nil {
			h.t.Fatalf("%s: %v", what, err)
		}
	}
	return all
}

// twoStages creates a tournament with a preliminary of two rounds and a final of four players.
func (h *hall) twoStages(roster string) tournament.Tournament {
	h.t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		h.t.Fatal(err)
	}
	rules, err := presets.Ruleset("wrc", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	f := format.Format{Name: "two", Version: 1, Stages: []format.Stage{
		{Name: "preliminary", Kind: format.Preliminary, Rounds: 2, GamesPerRound: 1, Seating: format.Random,
			SeatChange: format.EveryRound, CarryOver: format.CarryAll},
		{Name: "final", Kind: format.Final, Rounds: 1, GamesPerRound: 1, Cut: 4, Seating: "standings",
			SeatChange: format.EveryRound, CarryOver: format.CarryNone}}}
	e := do(h, people.CreateTournament{Name: "Test", Format: f, Rules: rules})
	if roster != "" {
		do(h, people.ImportRoster{Tournament: e.ID, File: roster})
	}
	return e
}

// TestWorkbooksEqualTheCSV reads every list back from its workbook, for a tournament of two stages with names that a
// spreadsheet would run. It checks that the content equals the CSV, that numbers are numbers and texts are texts, and
// that lists by stage have a sheet for each.
func TestWorkbooksEqualTheCSV(t *testing.T) {
	h := newHall(t)
	e := h.twoStages("name,country,club,rating,drawn,mark\n=1+1,NL,-club,1500,3,007\n+A,IT,@x,,,\nשרה כהן,IL,,12,,\n山田 太郎,JP,\"a, \"\"b\"\"\",,,\nE,,,,,\nF,,,,,\nG,,,,,\nHé,,,,,\n")
	for range 3 {
		h.play(do(h, draw.PairRound{Tournament: e.ID}))
	}
	stages := map[string][]string{ListSeating: {"seating 1", "seating 2"}, ListResults: {"results 1", "results 2"},
		ListCrosstable: {"crosstable 1", "crosstable 2"}}
	for what, list := range h.listed(e) {
		want := stages[what]
		if want == nil {
			want = []string{what}
		}
		if got := agrees(t, list, what); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the sheets %q, want %q", what, got, want)
		}
	}
	var book bytes.Buffer
	if err := h.listed(e)["roster"].WriteXLSX(&book, "roster"); err != nil {
		t.Fatal(err)
	}
	roster, err := rosterfile.Parse(t.Context(), book.String(), rosterfile.How{})
	if err != nil || len(roster.Problems) > 0 || len(roster.Rows) != 8 || roster.Rows[0].Name != "=1+1" ||
		*roster.Rows[0].Rating != 1500 || roster.Rows[0].Mark != "007" {
		t.Errorf("entered again: %+v, %v", roster, err)
	}
}

// TestCrosstableSumsTheResults checks that the crosstable has the same sums as the results, stage by stage, and that
// each is the sum of its rounds.
func TestCrosstableSumsTheResults(t *testing.T) {
	h := newHall(t)
	e := h.twoStages("name\nA\nB\nC\nD\nE\nF\nG\n")
	for range 3 {
		h.play(do(h, draw.PairRound{Tournament: e.ID}))
	}
	all := h.listed(e)
	want := map[string]score.Twelfth{}
	for _, r := range all[ListResults].Objects() {
		want[fmt.Sprint(r["stage"], r["number"])] += r["points"].(score.Twelfth)
	}
	cross := all[ListCrosstable].Objects()
	if len(cross) != 7+4 {
		t.Fatalf("%d rows", len(cross))
	}
	for _, r := range cross {
		sum, other := score.Twelfth(0), 0
		for n := 1; n <= 3; n++ {
			if points, ok := r[fmt.Sprintf("round_%d_points", n)].(score.Twelfth); ok {
				sum += points
			} else {
				other++
			}
		}
		if r["points"] != want[fmt.Sprint(r["stage"], r["number"])] || r["points"] != sum || other == 0 {
			t.Errorf("stage %v, number %v: %v, the results %v, the rounds %v", r["stage"], r["number"], r["points"],
				want[fmt.Sprint(r["stage"], r["number"])], sum)
		}
	}
}

// TestListsOfEveryEvent checks that tournaments without players, of one player, of 400, in play, and with an unreadable
// log give all their lists, and that the workbooks agree.
func TestListsOfEveryEvent(t *testing.T) {
	h := newHall(t)
	crowd := []string{"name"}
	for i := range 400 {
		crowd = append(crowd, fmt.Sprintf("Player %d", i))
	}
	empty, one, many := h.twoStages(""), h.twoStages("name\nA\n"), h.twoStages(strings.Join(crowd, "\n"))
	round := do(h, draw.PairRound{Tournament: many.ID})
	h.play(round)
	inPlay := h.twoStages("name\nA\nB\nC\nD\n")
	playing := do(h, draw.PairRound{Tournament: inPlay.ID})
	do(h, draw.PublishRound{Round: playing.ID})
	do(h, draw.StartRound{Round: playing.ID})
	broken := h.twoStages("name\nA\nB\nC\nD\n")
	h.play(do(h, draw.PairRound{Tournament: broken.ID}))
	tables, err := tournament.Tables(t.Context(), h.DB, h.round(broken).ID)
	if err == nil {
		_, err = h.DB.WriteSQL.Exec(`INSERT INTO game_events (game_id, seq, kind, version, data, actor, at)
			SELECT game_id, max(seq) + 1, 'no-such-kind', 1, 'no JSON', 'x', 1 FROM game_events WHERE game_id = $1
				GROUP BY game_id`, tables[0].Games[0].ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[string]int{
		"empty":   {"roster": 0, ListSeating: 0, ListResults: 0, ListStandings: 0, ListCrosstable: 0},
		"one":     {"roster": 1, ListSeating: 0, ListResults: 0, ListStandings: 1, ListCrosstable: 0},
		"400":     {"roster": 400, ListSeating: 400, ListResults: 400, ListStandings: 400, ListCrosstable: 400},
		"in play": {"roster": 4, ListSeating: 4, ListResults: 0, ListStandings: 4, ListCrosstable: 0},
		"broken":  {"roster": 4, ListSeating: 4, ListResults: 4, ListStandings: 4, ListCrosstable: 4},
	}
	for name, e := range map[string]tournament.Tournament{"empty": empty, "one": one, "400": many, "in play": inPlay,
		"broken": broken} {
		for what, list := range h.listed(e) {
			if want, ok := rows[name][what]; ok && len(list.Rows) != want {
				t.Errorf("%s: %s has %d rows, want %d", name, what, len(list.Rows), want)
			}
			agrees(t, list, what)
		}
	}
}

// round returns the newest round of a tournament.
func (h *hall) round(e tournament.Tournament) tournament.Round {
	h.t.Helper()
	rounds, err := draw.Rounds(h.t.Context(), h.DB, e.ID)
	if err != nil || len(rounds) == 0 {
		h.t.Fatal(rounds, err)
	}
	return rounds[len(rounds)-1]
}
