package export

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/rosterfile"
)

// RosterList is a roster as a list: what a roster file has, in the columns that it is read by.
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

// sheets are the sheets of a list: one for each stage where the list has stages, with the columns that the stage has; else one of
// the list's name.
func (l List) sheets(name string) []sheet {
	at := slices.Index(l.Columns, "stage")
	if at < 0 || name == ListStandings { // of the standings the stage is how far each player came
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

// inStage keeps of a row of a list what its columns have to do with a stage.
func inStage[T any](l List, row []T, stage int) (kept []T) {
	for i, cell := range row {
		if len(l.stages) == 0 || l.stages[i] == 0 || l.stages[i] == stage {
			kept = append(kept, cell)
		}
	}
	return kept
}

// WriteXLSX writes a list of a name as a workbook. Numbers are numbers, and every text is one, also after somebody has edited it.
func (l List) WriteXLSX(w io.Writer, name string) error {
	f := excelize.NewFile()
	defer f.Close()
	head, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	text, err := f.NewStyle(&excelize.Style{NumFmt: 49}) // @: what is typed there stays as it is typed
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

// write fills a sheet cell by cell: the library's faster way writes the sheets of a book in any order, so that no two files of a list are
// the same.
func (s sheet) write(f *excelize.File, head, text int) error {
	if err := f.SetPanes(s.name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
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

// setCell writes a value as a sheet has it; nothing for one that is empty.
func setCell(f *excelize.File, sheet, at string, value any, text int) error {
	switch v := value.(type) {
	case int:
		return f.SetCellInt(sheet, at, int64(v))
	case bool:
		return f.SetCellBool(sheet, at, v)
	case engine.Twelfth:
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
