package rosterfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"meldhall/tournament/listfile"
	"meldhall/tournament/refuse/refusetest"
)

func parse(t *testing.T, text string) Roster {
	t.Helper()
	roster, err := Parse(t.Context(), text, How{})
	if err != nil {
		t.Fatal(err)
	}
	return roster
}

func TestParseRosterReads(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"commas", "name,country\nAnn,NL\n", "2 Ann/NL/"},
		{"semicolons, byte order mark, CRLF", "\ufeffName;Country;Club\r\nAnn;NL;The, Club\r\n", "2 Ann/NL/The, Club"},
		{"tabs, columns in another order", "country\tname\nNL\tAnn\n", "2 Ann/NL/"},
		{"name only", "name\nAnn\n\nBob\n", "2 Ann// 4 Bob//"},
		{"quotes over two lines", "name,country\n\"Ann\nLee\",NL\nBob,BE\n", "2 Ann Lee/NL/ 4 Bob/BE/"},
		{"control and direction marks are dropped", "name,country\n\u202eA\u0007nn\u200f\u2066 ,NL\u0000\n",
			"2 Ann/NL/"},
		{"letters that need joiners keep them", "name\nنرگس می\u200cخواهم\n", "2 نرگس می\u200cخواهم//"},
		{"composed in one way", "name\nE\u0301mile\n", "2 \u00c9mile//"},
		{"an exported guard is taken off", "name,club\n'=SUM(1),'+x\n", "2 =SUM(1)//+x"},
		{"an apostrophe is a letter", "name\n't Hooft\n", "2 't Hooft//"},
		{"the same name from two countries", "name,country\nAnn,NL\nAnn,BE\n", "2 Ann/NL/ 3 Ann/BE/"},
		{"one country, however it is written", "name,country\nAnn,it\nBob,Italia\nCid,ITA\nDot,Scotland\n",
			"2 Ann/IT/ 3 Bob/IT/ 4 Cid/IT/ 5 Dot/Scotland/"},
		{"two of one name with a mark", "name,country,mark\nAnn,NL,\nAnn,NL,the younger\n", "2 Ann/NL/ 3 Ann/NL/"},
		{"e-mail by either spelling", "name,E-Mail\nAnn,ann@example.org\n", "2 Ann//"},
	} {
		t.Run(row.name, func(t *testing.T) {
			roster := parse(t, row.text)
			var got []string
			for _, r := range roster.Rows {
				got = append(got, fmt.Sprintf("%d %s/%s/%s", r.Line, r.Name, r.Country, r.Club))
			}
			if s := strings.Join(got, " "); s != row.want || len(roster.Problems) != 0 {
				t.Errorf("got %q, %v, want %q", s, roster.Problems, row.want)
			}
		})
	}
}

func TestParseRosterProblems(t *testing.T) {
	long := strings.Repeat("é", 81)
	for _, row := range []struct{ name, text, want string }{
		{"nothing", "", "0 err_roster_empty"},
		{"header only", "name,country\n", "0 err_roster_empty"},
		{"no name column", "country,club\nNL,x\n", "1 err_roster_no_name_column"},
		{"unknown column", "name,shoe size\nAnn,38\n", "1 err_roster_column_unknown"},
		{"column twice", "name,name\nAnn,Lee\n", "1 err_roster_column_twice"},
		{"missing name", "name,country\nAnn,NL\n,BE\n", "3 err_player_no_name"},
		{"name of marks alone", "name,country\n\u202e\u200f,NL\n", "2 err_player_no_name"},
		{"too long", "name\n" + long + "\n", "2 err_player_field_long"},
		{"too many fields", "name,country\nAnn,NL,x\nBob,BE\n", "1 err_roster_column_unknown"},
		{"rating of letters", "name,rating\nAnn,high\n", "2 err_player_rating"},
		{"rating below nothing", "name,rating\nAnn,-1\n", "2 err_player_rating"},
		{"no address", "name,email\nAnn,ann at home\n", "2 err_player_email"},
		{"double", "name,country\nAnn,NL\nBob,BE\nANN , nl\n", "4 err_roster_double"},
		{"double in another spelling of the country", "name,country\nAnn,IT\nAnn,Italy\n", "3 err_roster_double"},
		{"two with one mark", "name,mark\nAnn,\nAnn,B\nAnn,b\n", "4 err_roster_double"},
		{"long mark", "name,mark\nAnn," + strings.Repeat("x", MarkMost+1) + "\n", "2 err_player_field_long"},
		{"double in another composition", "name\nE\u0301mile\n\u00c9MILE\n", "3 err_roster_double"},
		{"open quotes", "name\nAnn\n\"Bob\nCid\n", "3 err_roster_quotes"},
		{"UTF-16 without players", "\xff\xfen\x00a\x00m\x00e\x00", "0 err_roster_empty"},
		{"too big", strings.Repeat("x", listfile.Bytes+1), "0 err_roster_too_big"},
		{"too many rows", "name\n" + players(Rows+1), fmt.Sprint(Rows+2, " err_roster_too_many")},
		{"all of them at once", "name,rating\n,x\nAnn,1\nAnn,2\n",
			"2 err_player_rating 2 err_player_no_name 4 err_roster_double"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, p := range parse(t, row.text).Problems {
				got = append(got, fmt.Sprint(p.Line, " ", p.Err.Key))
				refusetest.Text(t, p.Err)
			}
			if s := strings.Join(got, " "); s != row.want {
				t.Errorf("got %q, want %q", s, row.want)
			}
		})
	}
}

// TestParseRosterMended checks that a line is mended by its number in the file, with new texts or by leaving it out.
// This also undoes the effect of its quotes on the lines below.
func TestParseRosterMended(t *testing.T) {
	const file = "name,country,rating\nAnn,NL,high\nAnn,NL,7\n\"Bob,BE,1\nC\u00efd,BE\nDot,BE,2\nEve,BE,3\n"
	problems := func(mends ...Mend) (problems, rows, out string) {
		roster, err := Parse(t.Context(), file, How{Mends: mends})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range roster.Problems {
			problems += fmt.Sprint(p.Line, " ", p.Err.Key, " ")
		}
		for _, r := range roster.Rows {
			rows += fmt.Sprint(r.Line, " ", r.Name, " ")
		}
		for _, r := range roster.Out {
			out += fmt.Sprint(r.Line, " ", r.Name, " ")
		}
		return problems, rows, out
	}
	got, _, _ := problems()
	if want := "2 err_player_rating 3 err_roster_double 4 err_roster_quotes "; got != want {
		t.Fatalf("as it is: %s, want %s", got, want)
	}
	same, _, _ := problems(Mend{Line: 2, Cells: map[string]string{"name": "Ann", "country": "NL", "rating": "high"}},
		Mend{Line: 4, Cells: map[string]string{"name": `"Bob,BE,1`, "country": "", "rating": ""}},
		Mend{Line: 6, Cells: map[string]string{"name": "Dot", "country": "BE", "rating": "2"}})
	if same != got {
		t.Errorf("sent back as it is: %s, want %s", same, got)
	}
	got, rows, out := problems(Mend{Line: 2, Cells: map[string]string{"rating": "12"}},
		Mend{Line: 3, Cells: map[string]string{"mark": "2"}},
		Mend{Line: 4, Cells: map[string]string{"name": "Bob", "country": "BE", "rating": "1"}},
		Mend{Line: 6, Out: true})
	if want := "2 Ann 3 Ann 4 Bob 5 Cïd 7 Eve "; got != "" || rows != want || out != "6 Dot " {
		t.Errorf("mended: %q, %q, out %q", got, rows, out)
	}
	if got, _, _ = problems(Mend{Line: 3, Cells: map[string]string{"name": ""}}); !strings.Contains(got,
		"3 err_player_no_name") {
		t.Errorf("a mend that is wrong itself: %s", got)
	}
}

func players(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Player %d\n", i)
	}
	return b.String()
}

func TestRosterDemo(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "data", "demo", "roster.csv"))
	if err != nil {
		t.Fatal(err)
	}
	roster := parse(t, string(data))
	if len(roster.Rows) != 33 || len(roster.Problems) != 0 {
		t.Fatalf("got %d players, %v", len(roster.Rows), roster.Problems)
	}
	longest := 0
	for _, r := range roster.Rows {
		longest = max(longest, utf8.RuneCountInString(r.Name))
	}
	if longest != 40 {
		t.Errorf("the longest name has %d characters, want 40", longest)
	}
}

func TestWriteRoster(t *testing.T) {
	rating := 1700
	players := []PlayerEntry{
		{Name: "=HYPERLINK(\"http://x\")", Country: "+1", Club: "@club", Email: "-a@example.org", Division: "=junior",
			Family: "-rossi"},
		{Name: "Ann, \"the\" Lee", Country: "JP", Rating: &rating, Division: "over 60", Family: "Lee"},
	}
	var out bytes.Buffer
	if err := Write(&out, players); err != nil {
		t.Fatal(err)
	}
	for _, formula := range []string{",=", ",+", ",@", ",-", "\n=", "\"=H"} {
		if strings.Contains(out.String(), formula) {
			t.Errorf("a cell begins with a formula: %q in %s", formula, out.String())
		}
	}
	back := parse(t, out.String())
	if len(back.Problems) != 0 || len(back.Rows) != 2 {
		t.Fatalf("got %+v", back)
	}
	for i, row := range back.Rows {
		if !reflect.DeepEqual(row.PlayerEntry, players[i]) {
			t.Errorf("got %+v, want %+v", row.PlayerEntry, players[i])
		}
	}
}

func FuzzParseRoster(f *testing.F) {
	for _, seed := range []string{"name,country\nAnn,NL\n", "\ufeffname;rating\n\"A\nB\";x\n", "name\n\xff\n",
		"name\n\"", "\t\tname\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		roster, err := Parse(t.Context(), string(data), How{})
		if err != nil {
			t.Fatal(err)
		}
		if len(roster.Rows) == 0 && len(roster.Problems) == 0 {
			t.Error("neither players nor a problem")
		}
		for _, r := range roster.Rows {
			if !utf8.ValidString(r.Name+r.Country+r.Club+r.Email) || r.Line < 1 ||
				r.PlayerEntry != r.PlayerEntry.Clean() && r.Rating == nil {
				t.Errorf("got %+v", r)
			}
		}
	})
}
