package rosterfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse/refusetest"
)

// gives describes what a list gives: its players with the fields that are set, what is left out, what is uncertain, and
// the problems by line and field.
func gives(t *testing.T, file string, how How) string {
	t.Helper()
	roster, err := Parse(t.Context(), file, how)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	add := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	for _, r := range roster.Rows {
		fields := []string{r.Name, r.Country, r.Club}
		if r.Rating != nil {
			fields = append(fields, fmt.Sprint(*r.Rating))
		}
		if r.Drawn != 0 {
			fields = append(fields, fmt.Sprint("#", r.Drawn))
		}
		fields = append(fields, r.Email, r.Division, r.Family, r.Mark, r.FederationNumber)
		add("%s", strings.TrimRight(strings.Join(fields, "/"), "/"))
	}
	for _, r := range roster.Out {
		add("out %s", r.Name)
	}
	for _, left := range roster.List.Left {
		text := left.What + " " + strings.Join(left.At, ",")
		if len(left.Texts) > 0 {
			text += " " + strings.Join(left.Texts, ",")
		}
		add("[%s]", text)
	}
	if roster.List.Guessed {
		add("read as %s?", roster.List.Encoding)
	}
	for _, p := range roster.Problems {
		add("!%d %s %s", p.Line, p.Field, strings.TrimPrefix(p.Err.Key, "err_"))
		refusetest.Text(t, p.Err)
	}
	return strings.Join(all, "; ")
}

func encoded(e encoding.Encoding, text string) string {
	out, err := e.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return out
}

// shape is a list as people have it, and what it gives. fixed are the user's choices and mends in the page, and then
// what the list gives with them.
type shape struct {
	name, file, want string
	fixed            How
	wantFixed        string
}

func ignore() How { return How{Reading: listfile.Reading{Ignore: true}} }

func columns(fields ...string) How {
	how := How{Reading: listfile.Reading{Columns: map[int]string{}}}
	for i, field := range fields {
		if field != "" {
			how.Columns[i+1] = field
		}
	}
	return how
}

func mend(line int, nameValues ...string) How {
	m := Mend{Line: line, Out: len(nameValues) == 0, Cells: map[string]string{}}
	for i := 0; i < len(nameValues); i += 2 {
		m.Cells[nameValues[i]] = nameValues[i+1]
	}
	return How{Mends: []Mend{m}}
}

// textShapes are lists of one encoding.
func textShapes() []shape {
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	bare := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	return []shape{
		{name: "commas", file: "name,country\nAnn,NL\n", want: "Ann/NL"},
		{name: "semicolons", file: "name;country;club\nAnn;NL;The, Club\n", want: "Ann/NL/The, Club"},
		{name: "tabs, pasted from a spreadsheet", file: "country\tname\nNL\tAnn Lee\n", want: "Ann Lee/NL"},
		{name: "bars", file: "name|country\nAnn|NL\n", want: "Ann/NL"},
		{name: "sep= with a bar", file: "sep=|\nname|country\nAnn, the first|NL\n", want: "Ann, the first/NL"},
		{name: "sep= in quotation marks", file: "\"sep=;\"\r\nname;club\r\nAnn;x,y,z\r\n", want: "Ann//x,y,z"},
		{name: "sep= with a tab", file: "sep=\t\nname\tclub\nAnn\tx\n", want: "Ann//x"},
		{name: "old line ends of the Mac", file: "name\rAnn\rBob", want: "Ann; Bob"},
		{name: "CRLF and blank lines", file: "\r\n\r\nname\r\n\r\nAnn\r\n\r\n\r\nBob\r\n", want: "Ann; Bob"},
		{name: "byte order mark", file: "\ufeffname\nAnn\n", want: "Ann"},
		{name: "UTF-16 with a mark", file: encoded(utf16, "name\tclub\nŁukasz\tŻory\n"), want: "Łukasz//Żory"},
		{name: "UTF-16 without one", file: encoded(bare, "name;club\nŁukasz;Żory\n"),
			want: "Łukasz//Żory; read as UTF-16BE?"},
		{name: "Windows-1250", file: encoded(charmap.Windows1250, "name;club\nŁukasz Wójcik;Żory\nJiří Dvořák;Plzeň\n"),
			want: "Łukasz Wójcik//Żory; Jiří Dvořák//Plzeň; read as Windows-1250?"},
		{name: "Windows-1250 of Hungary",
			file: encoded(charmap.Windows1250, "név;ország\nGyőző Szűcs;HU\nErdős Ödön;HU\n"),
			want: "Győző Szűcs/HU; Erdős Ödön/HU; read as Windows-1250?"},
		{name: "Windows-1252 of Germany", file: encoded(charmap.Windows1252, "Name;Verein\nJürgen Groß;Köln\n"),
			want: "Jürgen Groß//Köln; read as Windows-1252?"},
		{name: "Windows-1252 of France",
			file: encoded(charmap.Windows1252, "nom;pays\nHélène Brûlé;FR\nThérèse Noël;FR\n"),
			want: "Hélène Brûlé/FR; Thérèse Noël/FR; read as Windows-1252?"},
		{name: "Windows-1252 of Italy", file: encoded(charmap.Windows1252, "nome;club\nNicolò Zanè;Forlì\n"),
			want: "Nicolò Zanè//Forlì; read as Windows-1252?"},
		{name: "Windows-1252 of Denmark",
			file: encoded(charmap.Windows1252, "navn;klub\nSøren Kjær;Ålborg\nBjørn Håkon;Tromsø\n"),
			want: "Søren Kjær//Ålborg; Bjørn Håkon//Tromsø; read as Windows-1252?"},
		{name: "Windows-1252 of Portugal", file: encoded(charmap.Windows1252, "nome;clube\nJoão Magalhães;Guimarães\n"),
			want: "João Magalhães//Guimarães; read as Windows-1252?"},
		{name: "Windows-1250 of Slovenia",
			file: encoded(charmap.Windows1250, "ime;klub\nLuka Kučan;Koper\nMiha Ačko;x\n"),
			want: "Luka Kučan//Koper; Miha Ačko//x; read as Windows-1250?"},
		{name: "Windows-1250 of Romania", file: encoded(charmap.Windows1250, "nume;club\nCălin Bărbat;Brăila\n"),
			want: "Călin Bărbat//Brăila; read as Windows-1250?"},
		{name: "Windows-1255", file: encoded(charmap.Windows1255, "שם,מדינה\nאבי כהן,ישראל\n"),
			want: "אבי כהן/IL; read as Windows-1255?"},
		{name: "Windows-1251, guessed wrong and chosen", file: encoded(charmap.Windows1251, "name\nИван\n"),
			want: "*", fixed: How{Reading: listfile.Reading{Encoding: "Windows-1251"}}, wantFixed: "Иван"},
		{name: "Shift_JIS, chosen", file: encoded(japanese.ShiftJIS, "氏名,国\n山田 太郎,日本\n"),
			want:  "*",
			fixed: How{Reading: listfile.Reading{Encoding: "Shift_JIS"}}, wantFixed: "山田 太郎/JP"},
		{name: "an encoding that does not exist", file: "name\nAnn\n", want: "Ann",
			fixed: How{Reading: listfile.Reading{Encoding: "EBCDIC"}}, wantFixed: "!0  roster_encoding"},
		{name: "names only, no header", file: "Ann Lee\nBob Ray\n", want: "Ann Lee; Bob Ray"},
		{name: "family names first, no header", file: "Rossi, Mario\nBianchi, Anna\n",
			want: "Rossi, Mario; Bianchi, Anna"},
		{name: "family names first in quotation marks", file: "name,club\n\"Rossi, Mario\",Roma\n",
			want: "Rossi, Mario//Roma"},
		{name: "family names first beside semicolons", file: "Name;Land\nRossi, Mario;Italien\n",
			want: "Rossi, Mario/IT"},
		{name: "a header of one column with commas below", file: "name\nAnn,NL\n", want: "Ann,NL"},
		{name: "two columns for the name", file: "Cognome;Nome;Nazione\nRossi;Mario;ITA\n", want: "Mario Rossi/IT",
			fixed: columns("last", "first"), wantFixed: "Mario Rossi/IT"},
		{name: "first and last name", file: "First name,Last name,Country\nAnn,Lee,USA\n", want: "Ann Lee/US"},
		{name: "columns without a header, chosen", file: "Ann Lee;IT;Roma\nBob Ray;FR;Lyon\n",
			want: "!0 A roster_column_unknown; !0 B roster_column_unknown; !0 C roster_column_unknown; " +
				"!0 name roster_no_name_column",
			fixed: columns("name", "country", "club"), wantFixed: "Ann Lee/IT/Roma; Bob Ray/FR/Lyon"},
		{name: "a header that is not recognized, chosen", file: "who\nAnn\n", want: "who; Ann",
			fixed: How{Reading: listfile.Reading{Header: 1, Columns: map[int]string{1: "name"}}}, wantFixed: "Ann"},
		{name: "a header by mistake", file: "Club\nAnn\nBob\n", want: "Club; Ann; Bob",
			fixed: mend(1), wantFixed: "Ann; Bob; out Club"},
		{name: "header words in capitals and with remarks", file: "NAME *;Country (code);CLUB:\nAnn;it;x\n",
			want: "Ann/IT/x"},
		{name: "a header in two languages", file: "Name / Nome;Country / Paese\nAnn;Italia\n", want: "Ann/IT"},
		{name: "German header", file: "Spieler;Verein;Wertungszahl;Land\nJürgen;Köln;1500;Deutschland\n",
			want: "Jürgen/DE/Köln/1500"},
		{name: "French header", file: "Joueur;Pays;Cote\nÉmile;France;1500\n", want: "Émile/FR//1500"},
		{name: "Spanish header", file: "Jugador;País;Categoría\nJosé;España;sub 14\n", want: "José/ES///sub 14"},
		{name: "Polish header", file: "Imię i nazwisko;Kraj;Ranking;Klub\nŁukasz;Polska;1500;Żory\n",
			want: "Łukasz/PL/Żory/1500"},
		{name: "Dutch header", file: "Naam;Land;Vereniging\nJan;Nederland;x\n", want: "Jan/NL/x"},
		{name: "Hebrew header", file: "שם,מדינה,מועדון\nאבי,ישראל,תל אביב\n", want: "אבי/IL/תל אביב"},
		{name: "Japanese header", file: "氏名\t国\t所属\n山田\t日本\t東京\n", want: "山田/JP/東京"},
		{name: "Korean header", file: "이름,국가\n김민수,대한민국\n", want: "김민수/KR"},
		{name: "Chinese header", file: "姓名,國家\n王小明,台灣\n", want: "王小明/TW"},
		{name: "Greek and Turkish words", file: "Όνομα;Ülke\nΣία;Türkiye\n", want: "Σία/TR"},
		{name: "a title above", file: "Torneo sociale 2026\n\nNome;Nazione\nAnn;IT\n",
			want: "Ann/IT; [title 1 Torneo sociale 2026]"},
		{name: "a title and a date above", file: "Open,,\n12 June,,\nname,country,club\nAnn,IT,x\n",
			want: "Ann/IT/x; [title 1,2 Open,12 June]"},
		{name: "the header repeated on each page", file: "name,club\nAnn,x\nname,club\nBob,y\n",
			want: "Ann//x; Bob//y; [repeated 3]"},
		{name: "a total below, left out", file: "name,rating\nAnn,1500\nTotal,1\n", want: "Ann///1500; Total///1",
			fixed: mend(3), wantFixed: "Ann///1500; out Total"},
		{name: "unknown columns, left out by one tick", file: "No.,name,FideID,paid\n1,Ann,0001,yes\n",
			want:  "Ann///////0001; !1 No. roster_column_unknown; !1 paid roster_column_unknown",
			fixed: ignore(), wantFixed: "Ann///////0001"},
		{name: "an unknown column that is empty", file: "name,notes\nAnn,\n", want: "Ann; [empty notes]"},
		{name: "an empty column that is known", file: "name,club\nAnn,\n", want: "Ann"},
		{name: "a column twice, one left out", file: "name,name\nAnn,Lee\n", want: "Lee; !1 name roster_column_twice",
			fixed: columns("name", "-"), wantFixed: "Ann"},
		{name: "a column with a wrong name, chosen", file: "name,country\nAnn,Roma\n", want: "Ann/Roma",
			fixed: columns("name", "club"), wantFixed: "Ann//Roma"},
		{name: "a blank first column", file: ";name;country\n;Ann;IT\n", want: "Ann/IT; [empty A]"},
		{name: "a blank column within", file: "name;;country\nAnn;;IT\n", want: "Ann/IT; [empty B]"},
		{name: "row numbers without a title", file: ";name\n1;Ann\n2;Bob\n",
			want:  "Ann; Bob; !1 A roster_column_unknown",
			fixed: ignore(), wantFixed: "Ann; Bob"},
		{name: "one cell too many, left out", file: "name,country\nAnn,NL,x\nBob,BE\n",
			want: "Ann/NL; Bob/BE; !1 C roster_column_unknown", fixed: ignore(), wantFixed: "Ann/NL; Bob/BE"},
		{name: "a note beside", file: "name;country;;\nAnn;IT;;paid\n", want: "Ann/IT; [empty C]; [notes D paid]"},
		{name: "short rows", file: "name,country,club\nAnn\nBob,FR\n", want: "Ann; Bob/FR; [short 2,3]"},
		{name: "all columns of a spreadsheet", file: "name" + strings.Repeat(",", 16_000) + "\nAnn" +
			strings.Repeat(",", 16_000) + "\n", want: "*"},
		{name: "a nickname in quotation marks", file: "name,club\nJan \"Janek\" Kowalski,x\n",
			want: "Jan \"Janek\" Kowalski//x"},
		{name: "doubled quotation marks", file: "name,club\n\"Ann \"\"A\"\" Lee\",x\n", want: "Ann \"A\" Lee//x"},
		{name: "quotation marks over two lines", file: "name,country\n\"Ann\nLee\",NL\nBob,BE\n",
			want: "Ann Lee/NL; Bob/BE"},
		{name: "an open quotation mark, mended", file: "name,club\n\"Ann,x\nBob,y\n",
			want: "\"Ann,x; Bob//y; !2  roster_quotes", fixed: mend(2, "name", "Ann", "club", "x"),
			wantFixed: "Ann//x; Bob//y"},
		{name: "spaces around everything", file: " name ; club \n  Ann   Lee ;  x \n", want: "Ann Lee//x"},
		{name: "invisible characters", file: "name\n\u202eA\u200bnn\u00ad\u2066\n", want: "Ann"},
		{name: "a guarded formula", file: "name,club\n'=SUM(1),'+x\n", want: "=SUM(1)//+x"},
		{name: "countries in many ways",
			file: "name,country\nA,ITA\nB,Italia\nC,GER\nD,Schweiz\nE,u.s.a.\nF,Nederland\n",
			want: "A/IT; B/IT; C/DE; D/CH; E/US; F/NL"},
		{name: "a country of two codes, chosen", file: "name,fed\nA,BRN\nB,BRN\n",
			want:  "A/BRN; B/BRN; !2 country country_several; !3 country country_several",
			fixed: How{Countries: map[string]string{"BRN": "BH"}}, wantFixed: "A/BH; B/BH"},
		{name: "a country that does not exist", file: "name,country\nA,Atlantis\n", want: "A/Atlantis"},
		{name: "no rating in many ways", file: "name,rating\nA,unr.\nB,-\nC,–\nD,n/a\nE,UNR\nF,\nG,0\n",
			want: "A; B; C; D; E; F; G///0"},
		{name: "ratings with decimals, cut", file: "name;rating\nA;1523.4\nB;1.523,4\nC;1.600\nD;1500,0\n",
			want:  "A; B; C; D///1500; !2 rating player_rating; !3 rating player_rating; !4 rating player_rating",
			fixed: How{Cut: true}, wantFixed: "A///1523; B///1523; C///1600; D///1500"},
		{name: "digits of other scripts and spaces", file: "name,rating,drawn\nA,１５００,٧\nB,1 600,08\n",
			want: "A///1500/#7; B///1600/#8"},
		{name: "a starred rating, mended", file: "name,rating\nA,1500*\n", want: "A; !2 rating player_rating",
			fixed: mend(2, "rating", "1500"), wantFixed: "A///1500"},
		{name: "drawn numbers", file: "name,drawn\nA,7.5\nB,seven\nC,7\nD,7\n",
			want: "A; B; C///#7; D///#7; !2 drawn roster_drawn; !3 drawn roster_drawn; !5 drawn drawn_taken"},
		{name: "an e-mail address that is none", file: "name,E-Mail\nA,a at b\n",
			want:  "A///a at b; !2 email player_email",
			fixed: mend(2, "email", "a@example.org"), wantFixed: "A///a@example.org"},
		{name: "a missing name, left out", file: "name,club\n,x\nAnn,y\n", want: "//x; Ann//y; !2 name player_no_name",
			fixed: mend(2), wantFixed: "Ann//y; out "},
		{name: "one person twice", file: "name,country\nO'Brien,IE\nO\u2019Brien,Ireland\n",
			want: "O'Brien/IE; O\u2019Brien/IE; !3 mark roster_double", fixed: mend(3, "mark", "the younger"),
			wantFixed: "O'Brien/IE; O\u2019Brien/IE/////the younger"},
		{name: "nothing", file: "", want: "!0  roster_empty"},
		{name: "blank lines only", file: "\n \n;;\n", want: "!0  roster_empty"},
		{name: "a header only", file: "name,country\n", want: "!0  roster_empty"},
		{name: "no column of names, chosen", file: "country,club\nNL,Ann\n", want: "!1 name roster_no_name_column",
			fixed: columns("", "name"), wantFixed: "Ann/NL"},
		{name: "lost letters, mended", file: "name\nJ\ufffdrgen\n", want: "Jrgen; !2 name roster_letters",
			fixed: mend(2, "name", "Jürgen"), wantFixed: "Jürgen"},
	}
}

// bookShapes are workbooks.
func bookShapes(t *testing.T) []shape {
	with := func(rows [][]any, do func(f *excelize.File, sheet string) error) string {
		return workbook(t, func(f *excelize.File, sheet string) {
			filled(rows...)(f, sheet)
			if err := do(f, sheet); err != nil {
				t.Fatal(err)
			}
		})
	}
	styled := func(cell, format string) func(f *excelize.File, sheet string) error {
		return func(f *excelize.File, sheet string) error {
			id, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
			if err == nil {
				err = f.SetCellStyle(sheet, cell, cell, id)
			}
			return err
		}
	}
	names := [][]any{{"name", "club"}, {"Ann", "x"}, {"Bob", "y"}}
	hidden := How{Reading: listfile.Reading{Hidden: true}}
	return []shape{
		{name: "a workbook", file: workbook(t, filled([]any{"Name", "Rating"}, []any{"Ann", 1500}, nil, []any{"אבי"})),
			want: "Ann///1500; אבי"},
		{name: "a title, merged, and blank rows",
			file: with([][]any{{"Open 2026"}, nil, {"name", "club"}, {"Ann", "x"}},
				func(f *excelize.File, s string) error { return f.MergeCell(s, "A1", "B1") }),
			want: "Ann//x; [title 1 Open 2026]"},
		{name: "a club merged over its players", file: with([][]any{{"name", "club"}, {"Ann", "x"}, {"Bob"}, {"Cid"}},
			func(f *excelize.File, s string) error { return f.MergeCell(s, "B2", "B3") }), want: "Ann//x; Bob//x; Cid"},
		{name: "a hidden row", file: with(names, func(f *excelize.File, s string) error {
			return f.SetRowVisible(s, 3, false)
		}), want: "Ann//x; [hidden_rows 3 Bob · y]", fixed: hidden, wantFixed: "Ann//x; Bob//y"},
		{name: "a hidden column", file: with(names, func(f *excelize.File, s string) error {
			return f.SetColVisible(s, "B", false)
		}), want: "Ann; Bob; [hidden_columns club]", fixed: hidden, wantFixed: "Ann//x; Bob//y"},
		{name: "two sheets, the second chosen", file: with(names, func(f *excelize.File, _ string) error {
			_, err := f.NewSheet("Reserve")
			filled([]any{"name"}, []any{"Cid"})(f, "Reserve")
			return err
		}), want: "Ann//x; Bob//y; [sheets Reserve]", fixed: How{Reading: listfile.Reading{Sheet: "Reserve"}},
			wantFixed: "Cid; [sheets Sheet1]"},
		{name: "a hidden first sheet", file: with(names, func(f *excelize.File, s string) error {
			at, err := f.NewSheet("Seen")
			filled([]any{"name"}, []any{"Cid"})(f, "Seen")
			if f.SetActiveSheet(at); err == nil {
				err = f.SetSheetVisible(s, false)
			}
			return err
		}), want: "Cid; [sheets Sheet1]"},
		{name: "a formula's last result",
			file: bookOf(t, sheetOf(`<row r="3"><c r="A3" t="str"><f>B1</f><v>Bob</v></c></row>`)),
			want: "Ann; Bob"},
		{name: "a spreadsheet error, mended",
			file: bookOf(t, sheetOf(`<row r="3"><c r="A3" t="e"><v>#N/A</v></c></row>`)),
			want: "Ann; #N/A; !3 name roster_book_error", fixed: mend(3, "name", "Bob"), wantFixed: "Ann; Bob"},
		{name: "a number with leading zeros as shown",
			file: with([][]any{{"name"}, {7}}, styled("A2", "000")), want: "007"},
		{name: "a rating that is shown whole",
			file: with([][]any{{"name", "rating"}, {"Ann", 1523.4}}, styled("B2", "0")),
			want: "Ann///1523"},
		{name: "a rating of a formula", file: with([][]any{{"name", "rating"}, {"Ann", 1500.0000000001}},
			func(*excelize.File, string) error { return nil }), want: "Ann///1500"},
		{name: "a date as shown", file: with([][]any{{"name", "club"}, {"Ann", 45000}}, styled("B2", `d\-mmm;@`)),
			want: "Ann//2023-03-15"},
		{name: "a truth", file: with([][]any{{"name", "club"}, {"Ann", true}}, styled("A1", "0")), want: "Ann//TRUE"},
		{name: "an old workbook", file: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600),
			want: "!0  roster_book_old"},
	}
}

// fileShapes are the files of testdata.
func fileShapes(t *testing.T) []shape {
	var shapes []shape
	for _, s := range []shape{
		{name: "header-it.csv", want: "Ann Lee/IT/Roma"},
		{name: "sep-line.csv", want: "Ann Lee/IT"},
		{name: "title-rows.csv", want: "Ann Lee/IT/Roma; [title 1 Torneo sociale 2026]"},
		{name: "unknown-cols.csv", want: "Ann Lee/IT/Roma/1500/////0001; Bob Ray/DE/Bonn/1600/////0002; " +
			"!1 No. roster_column_unknown",
			fixed: ignore(), wantFixed: "Ann Lee/IT/Roma/1500/////0001; Bob Ray/DE/Bonn/1600/////0002"},
		{name: "trailing-cols-both.csv", want: "Ann Lee/IT; Bob Ray/FR; [empty C,D]"},
		{name: "trailing-cols-rows.csv", want: "Ann Lee/IT; Bob Ray/FR; [empty C,D]"},
		{name: "short-rows.csv", want: "Ann Lee; Bob Ray/FR; [short 2,3]"},
		{name: "cp1252.csv",
			want: "José Muñoz/ES/Peña; Émile Dufrêne/FR/Réjouis; Ann Lee/IT/Roma; read as Windows-1252?"},
		{name: "last-first-one-col.csv", want: "Rossi, Mario; Bianchi, Anna"},
		{name: "rating-odd.csv", want: "A A; B B; C C; D D; E E///1600; F F///-120; G G///1500; H H; I I///0; " +
			"!4 rating player_rating; !5 rating player_rating; !7 rating player_rating; !9 rating player_rating",
			fixed: How{Cut: true},
			wantFixed: "A A; B B; C C///1523; D D///1523; E E///1600; F F///-120; G G///1500; H H; " +
				"I I///0; !7 rating player_rating; !9 rating player_rating"},
		{name: "drawn.csv", want: "Ann///#7; Bob///#7; Cid; Dee///#7; !3 drawn drawn_taken; !5 drawn drawn_taken"},
		{name: "x-blank-first-col.xlsx", want: "Ann Lee/IT; [empty A]"},
		{name: "x-note-right.xlsx", want: "Ann/IT; [empty C]; [notes D paid]"},
		{name: "x-title-merged.xlsx", want: "Ann/IT; [title 1 Club cup 2026]"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", s.name))
		if err != nil {
			t.Fatal(err)
		}
		s.file = string(data)
		shapes = append(shapes, s)
	}
	return shapes
}

// TestListsAsPeopleHaveThem checks what lists of many shapes give: the players, what is left out and said, and what the
// user mends in the page.
func TestListsAsPeopleHaveThem(t *testing.T) {
	shapes := append(append(textShapes(), bookShapes(t)...), fileShapes(t)...)
	if len(shapes) < 80 {
		t.Errorf("only %d shapes", len(shapes))
	}
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			if got := gives(t, s.file, How{}); got != s.want && s.want != "*" {
				t.Errorf("it gives %s\nwant %s", got, s.want)
			}
			if s.wantFixed == "" {
				return
			}
			if got := gives(t, s.file, s.fixed); got != s.wantFixed {
				t.Errorf("mended it gives %s\nwant %s", got, s.wantFixed)
			}
		})
	}
}
