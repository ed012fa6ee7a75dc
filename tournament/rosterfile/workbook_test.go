package rosterfile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse/refusetest"
)

// workbook builds a workbook; fill fills its first sheet and anything else.
func workbook(t *testing.T, fill func(f *excelize.File, sheet string)) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f, f.GetSheetName(0))
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// filled fills a sheet from A1.
func filled(rows ...[]any) func(f *excelize.File, sheet string) {
	return func(f *excelize.File, sheet string) {
		for i, row := range rows {
			if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
				panic(err)
			}
		}
	}
}

func TestAWorkbookIsARoster(t *testing.T) {
	book := workbook(t, func(f *excelize.File, sheet string) {
		filled([]any{"Name", "Rating", "E-Mail", "mark", "club"},
			[]any{"=1+1", 1500, "a@example.org", 2, " two\nlines "}, nil,
			[]any{"山田 太郎"}, []any{"אבי כהן", 1.5e3, nil, "x"})(f, sheet)
		if _, err := f.NewSheet("Empty"); err != nil {
			t.Fatal(err)
		}
	})
	roster := parse(t, book)
	var got []string
	for _, r := range roster.Rows {
		rating := 0
		if r.Rating != nil {
			rating = *r.Rating
		}
		got = append(got, fmt.Sprintf("%d %s/%d/%s/%s/%s", r.Line, r.Name, rating, r.Email, r.Mark, r.Club))
	}
	want := []string{"2 =1+1/1500/a@example.org/2/two lines", "4 山田 太郎/0///", "5 אבי כהן/1500//x/"}
	if !reflect.DeepEqual(got, want) || len(roster.Problems) != 0 {
		t.Errorf("got %q with %v, want %q", got, roster.Problems, want)
	}
}

func TestAWorkbookThatIsNoRoster(t *testing.T) {
	names := [][]any{{"name", "club"}, {"Ann", "x"}, {"Bob", "y"}}
	locked := workbook(t, filled(names...))
	var out bytes.Buffer
	f, err := excelize.OpenReader(strings.NewReader(locked))
	if err == nil {
		err = f.Write(&out, excelize.Options{Password: "secret"})
	}
	if err != nil {
		t.Fatal(err)
	}
	many := [][]any{{"name"}}
	for i := range Rows + 1 {
		many = append(many, []any{fmt.Sprint("P ", i)})
	}
	for _, row := range []struct{ name, file, want string }{
		{"a password", out.String(), "0 err_roster_book_locked"},
		{"of an older Office", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600),
			"0 err_roster_book_old"},
		{"a ZIP of something else", zipped(t, map[string]string{"a.txt": "name\nAnn\n"}), "0 err_roster_book_broken"},
		{"a ZIP that breaks off", locked[:len(locked)/2], "0 err_roster_book_broken"},
		{"a workbook of no XML", zipped(t, map[string]string{"[Content_Types].xml": "x", "xl/workbook.xml": "x"}),
			"0 err_roster_book_broken"},
		{"one that unpacks to 20 MiB", zipped(t, map[string]string{"[Content_Types].xml": "x",
			"xl/worksheets/sheet1.xml": strings.Repeat(" ", 20<<20)}), "0 err_roster_book_large"},
		{"larger than a roster", "PK\x03\x04" + strings.Repeat("x", listfile.Bytes), "0 err_roster_too_big"},
		{"empty", workbook(t, filled()), "0 err_roster_empty"},
		{"too many players", workbook(t, filled(many...)), fmt.Sprint(Rows+2, " err_roster_too_many")},
		{"a line that is wrong", workbook(t, filled([]any{"name", "rating"}, nil, []any{"Ann", "high"})),
			"3 err_player_rating"},
	} {
		t.Run(row.name, func(t *testing.T) {
			roster := parse(t, row.file)
			var got []string
			for _, p := range roster.Problems {
				got = append(got, fmt.Sprint(p.Line, " ", p.Err.Key))
				refusetest.Text(t, p.Err)
			}
			if s := strings.Join(got, ", "); s != row.want {
				t.Errorf("got %s, want %s", s, row.want)
			}
		})
	}
}

// zipped packs files with fast compression.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestSpeed)
	})
	for name, text := range files {
		method := zip.Store // creating a compressor is slow
		if text != "" {
			method = zip.Deflate
		}
		file, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(file, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func FuzzWorkbook(f *testing.F) {
	for _, seed := range []string{"PK\x03\x04", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "name\nAnn\n"} {
		f.Add(seed)
	}
	book := excelize.NewFile()
	filled([]any{"name", "rating"}, []any{"Ann", 7})(book, "Sheet1")
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		f.Fatal(err)
	}
	f.Add(out.String())
	f.Fuzz(func(t *testing.T, file string) {
		parse(t, file)
	})
}
