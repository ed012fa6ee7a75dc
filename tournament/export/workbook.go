package export

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/rosterfile"
)

// RosterList returns a roster as a list, with the columns of a roster file.
func RosterList(players []tournament.Player) List {
	list := List{Columns: rosterfile.Columns(), Rows: [][]any{}}
	for _, e := range tournament.EntriesOf(players) {
		list.Rows = append(list.Rows, e.Cells())
	}
	return list
}

// sheet is one sheet of a workbook.
type sheet struct {
	name string
	List
}

// sheets returns the sheets of a list: one per stage with the stage's columns if the list has stages, else one with the
// list's name.
func (l List) sheets(name string) []sheet {
	at := slices.Index(l.Columns, "stage")
	if at < 0 || name == ListStandings { // in standings, stage is only the last one each player reached
		return []sheet{{name, l}}
	}
	var all []sheet
	for _, row := range l.Rows {
		stage := row[at].(int)
		title := fmt.Sprintf("%s %d", name, stage)
		i := slices.IndexFunc(all, func(s sheet) bool { return s.name == title })
		if i < 0 {
			i = len(all)
			all = append(all, sheet{title, List{Columns: inStage(l, l.Columns, stage)}})
		}
		all[i].Rows = append(all[i].Rows, inStage(l, row, stage))
	}
	if len(all) == 0 {
		return []sheet{{name, l}}
	}
	return all
}

// inStage returns the cells of a row whose columns belong to a stage or to all stages.
func inStage[T any](l List, row []T, stage int) (kept []T) {
	for i, cell := range row {
		if len(l.stages) == 0 || l.stages[i] == 0 || l.stages[i] == stage {
			kept = append(kept, cell)
		}
	}
	return kept
}

// WriteXLSX writes a list as a workbook. Numbers are stored as numbers, and every text as text, even after editing.
func (l List) WriteXLSX(w io.Writer, name string) error {
	f := excelize.NewFile()
	defer f.Close()
	head, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	text, err := f.NewStyle(&excelize.Style{NumFmt: 49}) // @: typed text stays as typed
	if err != nil {
		return err
	}
	for i, s := range l.sheets(name) {
		if i == 0 {
			err = f.SetSheetName(f.GetSheetName(0), s.name)
		} else {
			_, err = f.NewSheet(s.name)
		}
		if err == nil {
			err = s.write(f, head, text)
		}
		if err != nil {
			return fmt.Errorf("sheet %s: %w", s.name, err)
		}
	}
	return f.Write(w)
}

// write fills a sheet cell by cell. The library's faster method writes a workbook's sheets in random order, so that no
// two files of a list would be equal.
func (s sheet) write(f *excelize.File, head, text int) error {
	if err := f.SetPanes(s.name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	for i, name := range s.Columns {
		column, err := excelize.ColumnNumberToName(i + 1)
		if err == nil {
			err = f.SetColWidth(s.name, column, column, s.width(i))
		}
		if err == nil {
			err = f.SetCellStr(s.name, column+"1", name)
		}
		if err == nil {
			err = f.SetCellStyle(s.name, column+"1", column+"1", head)
		}
		if err != nil {
			return err
		}
		for j, row := range s.Rows {
			if err := setCell(f, s.name, column+strconv.Itoa(j+2), row[i], text); err != nil {
				return err
			}
		}
	}
	return nil
}

// setCell stores a value, or nothing if it is empty.
func setCell(f *excelize.File, sheet, at string, value any, text int) error {
	switch v := value.(type) {
	case int:
		return f.SetCellInt(sheet, at, int64(v))
	case bool:
		return f.SetCellBool(sheet, at, v)
	case score.Twelfth:
		if v%12 == 0 {
			return f.SetCellInt(sheet, at, int64(v/12))
		}
		return f.SetCellFloat(sheet, at, float64(v)/12, -1, 64)
	case string:
		if v == "" {
			return nil
		}
		if err := f.SetCellStr(sheet, at, v); err != nil {
			return err
		}
		return f.SetCellStyle(sheet, at, at, text)
	}
	return nil
}

// The widths of columns, in characters.
const (
	narrowest = 6
	widest    = 40
)

func (s sheet) width(column int) float64 {
	most := utf8.RuneCountInString(s.Columns[column])
	for _, row := range s.Rows {
		if v, ok := row[column].(string); ok {
			most = max(most, utf8.RuneCountInString(v))
		}
	}
	return float64(min(max(most, narrowest), widest) + 2)
}
