package export

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// Formats of cells: numbers into cellXfs of the styles.
const (
	headCell = 1
	textCell = 2 // @: typed text stays as typed
)

// The parts of a workbook that are the same in each one. The layout is ECMA-376's (Office Open XML).
const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainNS   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packages = "http://schemas.openxmlformats.org/package/2006/"
	kinds    = "application/vnd.openxmlformats-officedocument.spreadsheetml."

	rootRelations = xmlHead + `<Relationships xmlns="` + packages + `relationships"><Relationship Id="rId1" Type="` +
		relation + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	styles = xmlHead + `<styleSheet ` + mainNS + `><fonts count="2">` +
		`<font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
		`<fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`
)

// WriteXLSX writes a list as a workbook. Numbers are stored as numbers, and every text as text, even after editing.
func (l List) WriteXLSX(w io.Writer, name string) error {
	var types, relations, names strings.Builder
	z := zip.NewWriter(w)
	write := func(path, text string) error {
		part, err := z.Create(path)
		if err == nil {
			_, err = io.WriteString(part, text)
		}
		return err
	}
	for i, s := range l.sheets(name) {
		path := fmt.Sprintf("worksheets/sheet%d.xml", i+1)
		fmt.Fprintf(&types, `<Override PartName="/xl/%s" ContentType="%sworksheet+xml"/>`, path, kinds)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="%s"/>`, i+2, relation, path)
		fmt.Fprintf(&names, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, escaped(s.name), i+1, i+2)
		if err := write("xl/"+path, s.xml()); err != nil {
			return fmt.Errorf("sheet %s: %w", s.name, err)
		}
	}
	for _, part := range [][2]string{
		{"[Content_Types].xml", xmlHead + `<Types xmlns="` + packages + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Default Extension="xml" ContentType="application/xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + kinds + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + kinds + `styles+xml"/>` +
			types.String() + `</Types>`},
		{"_rels/.rels", rootRelations},
		{"xl/workbook.xml", xmlHead + `<workbook ` + mainNS + ` xmlns:r="` + relation + `"><sheets>` + names.String() +
			`</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", xmlHead + `<Relationships xmlns="` + packages + `relationships">` +
			`<Relationship Id="rId1" Type="` + relation + `/styles" Target="styles.xml"/>` + relations.String() +
			`</Relationships>`},
		{"xl/styles.xml", styles},
	} {
		if err := write(part[0], part[1]); err != nil {
			return err
		}
	}
	return z.Close()
}

// xml returns the worksheet. Its first row stays in sight.
func (s sheet) xml() string {
	var b strings.Builder
	b.WriteString(xmlHead + `<worksheet ` + mainNS + `><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i := range s.Columns {
		fmt.Fprintf(&b, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, s.width(i))
	}
	b.WriteString(`</cols><sheetData><row r="1">`)
	for i, name := range s.Columns {
		b.WriteString(cell(column(i)+"1", name, headCell))
	}
	b.WriteString(`</row>`)
	for j, row := range s.Rows {
		number := strconv.Itoa(j + 2)
		b.WriteString(`<row r="` + number + `">`)
		for i, value := range row {
			b.WriteString(cell(column(i)+number, value, textCell))
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData></worksheet>`)
	return b.String()
}

// column returns the letters of a column, from A for 0.
func column(i int) string {
	letters := string(rune('A' + i%26))
	if i < 26 {
		return letters
	}
	return column(i/26-1) + letters
}

// cell returns a cell with a value; nothing if it is empty. Only text has the given format.
func cell(at string, value any, format int) string {
	number := func(kind, text string) string { return `<c r="` + at + `"` + kind + `><v>` + text + `</v></c>` }
	switch v := value.(type) {
	case int:
		return number("", strconv.Itoa(v))
	case bool:
		if v {
			return number(` t="b"`, "1")
		}
		return number(` t="b"`, "0")
	case score.Twelfth:
		return number("", strconv.FormatFloat(float64(v)/12, 'f', -1, 64))
	case string:
		if v != "" {
			return fmt.Sprintf(`<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, at, format,
				escaped(v))
		}
	}
	return ""
}

// escaped returns a text for XML, without letters that XML cannot have.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder returns no errors
	return b.String()
}

// The widths of columns, in characters.
const (
	narrowest = 6
	widest    = 40
)

func (s sheet) width(column int) int {
	most := utf8.RuneCountInString(s.Columns[column])
	for _, row := range s.Rows {
		if v, ok := row[column].(string); ok {
			most = max(most, utf8.RuneCountInString(v))
		}
	}
	return min(max(most, narrowest), widest) + 2
}
