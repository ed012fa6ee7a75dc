package rosterfile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"strings"
	"testing"

	"meldhall/tournament/refuse/refusetest"
)

// bookOf builds a workbook with one sheet and the additional parts in others.
func bookOf(t *testing.T, sheet string, others ...map[string]string) string {
	t.Helper()
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	parts := map[string]string{
		"[Content_Types].xml": "<Types/>",
		"_rels/.rels": rels + `<Relationship Id="rId1" Type="` + kind +
			`officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns:r="x"><sheets>` +
			`<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": rels + `<Relationship Id="rId1" Type="` + kind +
			`worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="` + kind + `sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
		"xl/sharedStrings.xml":     `<sst><si><t>name</t></si></sst>`,
		"xl/worksheets/sheet1.xml": sheet,
	}
	for _, more := range others {
		maps.Copy(parts, more)
	}
	return zipped(t, parts)
}

// sheetOf returns a sheet whose first two rows are a roster.
func sheetOf(rest string, after ...string) string {
	return `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row>` +
		`<row r="2"><c r="A2" t="inlineStr"><is><t>Ann</t></is></c></row>` +
		rest + `</sheetData>` + strings.Join(after, "") + `</worksheet>`
}

const columnsTold = 300

// allocated returns how many bytes f allocates, garbage included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileListsAreBounded checks that a list is refused if its numbers promise more than it holds, or if it unpacks
// to more than a roster can have. Reading it must allocate no more than its text needs.
func TestHostileListsAreBounded(t *testing.T) {
	text := func(s string) string { return `<c r="` + s + `" t="inlineStr"><is><t>x</t></is></c>` }
	name := func(n int) string { return strings.Repeat(`<a>`, n) + strings.Repeat(`</a>`, n) }
	for _, row := range []struct {
		name, file, want string
		mib              uint64
	}{
		{"a row of the largest number", bookOf(t,
			sheetOf(`<row r="9223372036854775807">`+text("A9223372036854775807")+`</row>`)), "0 err_roster_book_far",
			1},
		{"a row beyond all numbers", bookOf(t, sheetOf(`<row r="99999999999999999999"/>`)), "0 err_roster_book_far", 1},
		{"a row below none", bookOf(t, sheetOf(`<row r="-1"/>`)), "0 err_roster_book_broken", 1},
		{"the last cell of a sheet", bookOf(t, sheetOf(`<row r="1048576">`+text("XFD1048576")+`</row>`)),
			"0 err_roster_book_far", 1},
		{"the last cell, empty", bookOf(t, sheetOf(`<row r="1048576"><c r="XFD1048576" s="1"/></row>`)), "", 8},
		{"the last column", bookOf(t, sheetOf(`<row r="3">`+text("XFD3")+`</row>`)), "0 err_roster_book_far", 1},
		{"a column that no sheet has", bookOf(t, sheetOf(`<row r="3">`+text("ZZZ3")+`</row>`)),
			"0 err_roster_book_broken", 1},
		{"a column of many letters", bookOf(t, sheetOf(`<row r="3">`+text(strings.Repeat("A", 9999)+"3")+`</row>`)),
			"0 err_roster_book_broken", 1},
		{"rows backwards", bookOf(t, sheetOf(`<row r="1">`+text("A1")+`</row>`)), "0 err_roster_book_broken", 1},
		{"half a million empty rows", bookOf(t, sheetOf(strings.Repeat(`<row/>`, 1<<19)+`<row r="1048577"/>`)),
			"0 err_roster_book_far", 200},
		{"a million empty cells", bookOf(t, sheetOf(`<row r="3">`+strings.Repeat(`<c/>`, 1<<20)+`</row>`)),
			"0 err_roster_book_cells", 80},
		{"ten thousand headers", bookOf(t, sheetOf(strings.Repeat(`<row>`+`<c t="s"><v>0</v></c>`+`</row>`, 10_000))),
			"", 20},
		{"a million shared strings", bookOf(t, sheetOf(""), map[string]string{"xl/sharedStrings.xml": `<sst>` +
			strings.Repeat(`<si/>`, 1<<20) + `</sst>`}), "0 err_roster_book_cells", 80},
		{"one long string in every cell", bookOf(t, sheetOf(`<row r="3">`+strings.Repeat(`<c t="s"><v>0</v></c>`,
			200)+`</row>`),
			map[string]string{"xl/sharedStrings.xml": `<sst><si><t>` + strings.Repeat("name ", 100_000) +
				`</t></si></sst>`}), "0 err_roster_book_large", 20},
		{"merged over everything", bookOf(t, sheetOf("",
			`<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`)), "", 1},
		{"merged a hundred thousand times", bookOf(t, sheetOf("",
			`<mergeCells>`+strings.Repeat(`<mergeCell ref="A1:XFD1048576"/>`, 100_000)+`</mergeCells>`)),
			"", 60},
		{"deep XML", bookOf(t, sheetOf(name(100_000))), "0 err_roster_book_broken", 1},
		{"a tag of a million attributes", bookOf(t, sheetOf(`<row`+strings.Repeat(` a=">"`, 1<<20)+`/>`)),
			"0 err_roster_book_broken", 2},
		{"elements without end", bookOf(t, sheetOf(strings.Repeat(`<a/>`, 1<<20))), "0 err_roster_book_large", 300},
		{"a sheet that breaks off", bookOf(t, `<worksheet><sheetData><row r="1">`), "0 err_roster_book_broken", 1},
		{"an entity in an entity", bookOf(t,
			`<!DOCTYPE x [<!ENTITY a "&b;&b;">]>`+sheetOf(`<row r="3"><c r="A3" t="str"><v>&a;</v></c></row>`)),
			"0 err_roster_book_broken", 1},
		{"many sheets in one part", bookOf(t, sheetOf(strings.Repeat(" ", 2<<20)),
			map[string]string{"xl/workbook.xml": `<workbook><sheets>` +
				strings.Repeat(`<sheet name="S" id="rId1"/>`, 200) + `</sheets></workbook>`}),
			"0 err_roster_book_large",
			40},
		{"as many parts as fit", zipped(t, func() map[string]string {
			parts := map[string]string{}
			for i := range 20_000 {
				parts[fmt.Sprint(i)] = ""
			}
			return parts
		}()), "0 err_roster_book_broken", 20},
		{"a line of a million columns", "name" + strings.Repeat(",", 1<<20) + "\nAnn\n", "0 err_roster_cells", 20},
		{"columns without end", strings.Repeat("x,", 100_000) + strings.Repeat("name,", 100_000) + "\nAnn\n",
			"0 err_roster_cells", 40},
		{"more columns than a list has", strings.Repeat("x,", columnsTold) + "name\nAnn\n", "1 err_roster_columns", 1},
		{"lines without end", "name\nAnn" + strings.Repeat("\n", 1<<20), "", 20},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			var roster Roster
			bytes := allocated(func() { roster = parse(t, row.file) })
			for _, p := range roster.Problems {
				got = append(got, fmt.Sprint(p.Line, " ", p.Err.Key))
				refusetest.Text(t, p.Err)
			}
			if s := strings.Join(got, ", "); s != row.want {
				t.Errorf("got %s, want %s", s, row.want)
			}
			if bytes > row.mib<<20 {
				t.Errorf("%d bytes allocated, want at most %d MiB", bytes, row.mib)
			}
		})
	}
}

// TestAListIsLeftWhereItsRequestEnds checks that reading a workbook or a CSV file stops when its context ends.
func TestAListIsLeftWhereItsRequestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, file := range []string{bookOf(t, sheetOf(strings.Repeat(`<row/>`, 1<<19))), "name\n" +
		strings.Repeat("\n", 1<<20) + "Ann\n"} {
		if n := allocated(func() {
			if _, err := Parse(ctx, file, How{}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}); n > 10<<20 {
			t.Errorf("%d bytes allocated after the end", n)
		}
	}
}
