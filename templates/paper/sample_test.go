package paper

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/engine/tile"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/pdf"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/referee"
)

// look is the folder into which the sample sheets are written for viewing.
var look = flag.String("look", "", "write the sample's sheets into this folder")

// people are players with long names in all supported scripts.
var people = []Person{
	{Name: "Maximiliane von Hohenstein-Wit", Country: "DE", Club: "Spielkreis Neuötting"},
	{Name: "דנה כהן-אברהמי בן ציון", Country: "IL", Club: "תל אביב"},
	{Name: "محمد عبد الرحمن الأندلسي", Country: "MA"}, {Name: "山田太郎", Country: "JP", Club: "柏"},
	{Name: "김민준 박서연", Country: "KR"}, {Name: "王小明", Country: "TW"},
	{Name: "Παναγιώτης Παπαδόπουλος", Country: "GR"}, {Name: "Александра Преображенская", Country: "UA"},
	{Name: "Łukasz Święcicki", Country: "PL", Club: "Żory"},
	{Name: "Nguyễn Thị Hồng Nhung", Country: "VN"}, {Name: "Anna Rossi (12)", Country: "IT"},
}

func person(i int) Person {
	p := people[i%len(people)]
	p.Number = i + 1
	if i >= len(people) {
		p.Name += fmt.Sprint(" ", i/len(people)+1)
	}
	return p
}

var about = About{Event: "Meisterschaft von Neuötting · אליפות 2026", Place: "Stadthalle", Days: "2026-11-24",
	Stage: "Vorrunde", Round: 2, Made: time.Date(2026, 11, 24, 16, 5, 0, 0, time.UTC),
	Address: "http://192.168.1.10:8080/events/3", Organizer: "Spielkreis Neuötting e. V.",
	Referee: "Dr. Friederike Mayer-Lindenberg"}

// tables seats players, four at a table; the last table may have fewer.
func tables(players int) (all []Table) {
	for at := 0; at < players; {
		t := Table{Number: len(all) + 1, Code: "BQXK-7TMP", URL: "http://192.168.1.10:8080/join/BQXK7TMP",
			Sheet: fmt.Sprintf("http://192.168.1.10:8080/referee/3/tables/%d", len(all)+1), Games: 2,
			Why: []string{"These players have not met"}}
		for range min(seatsMost, players-at) {
			t.Seats = append(t.Seats, Seat{Person: person(at), Seat: len(t.Seats), Code: "BQXK-7TMP",
				URL: fmt.Sprintf("http://192.168.1.10:8080/join/SEAT%04d", at)})
			at++
		}
		all = append(all, t)
	}
	return all
}

func ranks(players int) (rows []play.RankRow) {
	for i := range players {
		p := person(i)
		rows = append(rows, play.RankRow{Player: int64(i), Rank: fmt.Sprint(i + 1), Name: p.Name,
			Country: p.Country, Games: 4, Wins: score.Whole(4 - min(i, 4)), Total: score.Whole(123 - 7*i),
			Points: score.Whole(123 - 7*i), Provisional: i == 3, Withdrawn: i == 9, Cut: i == 8, Through: i < 8})
	}
	return rows
}

// prizes gives each player a prize; the second and the third share theirs.
func prizes(rows []play.RankRow) (all []Won) {
	for i, r := range rows {
		one := Won{Row: r, Prize: "Pokal und ein großes Spiel", Amount: "1.500 €", Shared: 1}
		if i == 1 || i == 2 {
			one.Row.Rank, one.Shared = "=2", 2
		}
		all = append(all, one)
	}
	return all
}

// sheets returns one sheet of each kind for a number of players.
func sheets(players int) map[string]Sheet {
	at, order := tables(players), "Ranked by wins, then points; ties share a place"
	rows := ranks(players)
	var arrivals []Arrival
	var tickets []Ticket
	cross := public.CrossView{}
	for round := range 11 {
		cross.Columns = append(cross.Columns, public.CrossColumn{Title: fmt.Sprint("R", round+1), Round: round + 1})
	}
	for i, r := range rows {
		arrivals = append(arrivals, Arrival{person(i), i%3 == 0})
		tickets = append(tickets, Ticket{person(i), fmt.Sprintf("http://192.168.1.10:8080/ticket/T%04d", i)})
		row := public.CrossRow{PastName: public.PastName{Name: r.Name}, Rank: r.Rank,
			Sum: public.PastScore{Known: true, Points: r.Total, Wins: r.Wins}}
		for round := range cross.Columns {
			row.Cells = append(row.Cells, public.PastScore{Known: (i+round)%5 > 0, Points: score.Whole(40 - 11*i),
				Wins: score.Whole((i + round) % 2)})
		}
		cross.Rows = append(cross.Rows, row)
	}
	podium := Podium{About: about, Over: true}
	for i := range min(3, len(rows)) {
		podium.Steps[i] = rows[i : i+1]
	}
	if players == 0 {
		cross.Columns = nil
	}
	return map[string]Sheet{
		"names": SeatingByName{about, at}, "tables": SeatingByTable{about, at},
		"announcer": Announcer{about, at, 2, 60, "16:30"},
		"cards":     SeatCards{about, "http://192.168.1.10:8080/join", at}, "scores": ScoreSheets{about, at, 0, 30},
		"blank":     ScoreSheets{about, nil, 4, 30},
		"standings": Standings{about, rows, order, nil, ""}, "crosstable": Crosstable{about, cross, nil}, "podium": podium,
		"certificates": Certificates{About: about, Rows: rows},
		"prizes":       PrizeList{About: about, Prizes: prizes(rows)},
		"receipts":     Receipts{about, prizes(rows)},
		"check-in":     CheckIn{about, arrivals}, "tickets": Tickets{about, tickets},
		"going-on": GoingOn{about, 60, 30, order}, "record": Record{about, record(), ""},
		"pairing": Pairing{about, []desk.DrawFact{{Name: "Meet again", Value: "3", More: "theoretical minimum: 2"},
			{Name: "Uneven seats", Value: "0"}}, []string{"Table 1: Anna and Bob meet again"},
			[]string{"Planned for the whole stage", "Seed 123"}, at, "Ann"},
	}
}

func record() referee.Protocol {
	p := referee.Protocol{Round: 2, Table: 7, Number: 1, Of: 2, Began: 1_795_000_000_000, Ended: 1_795_003_000_000,
		EndText: "Anna went out.", RulesName: "World championship",
		Seal: referee.ProtocolSeal{Events: 80,
			LogHash:    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
			Commitment: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
			Salt:       "fcde2b2edba56bf408601fb721fe9b5c"}}
	for i := range 4 {
		one := person(i)
		p.Players = append(p.Players, referee.ProtocolPlayer{Seat: i, Name: one.Name, Country: one.Country})
		p.Count = append(p.Count, referee.ProtocolSeat{Seat: i, Charge: 10 * i, Points: score.Whole(60 - 10*i)})
	}
	p.Signed = []referee.ProtocolSigned{{Seat: 1, Rev: 1, At: p.Ended}}
	for i := range 80 {
		faces, _ := tile.ParseFaces("R4 R5 J")
		p.Course = append(p.Course, referee.ProtocolLine{Seq: i, At: p.Began + engine.Millis(i*31_000), Turn: i,
			Took: 30_000, Text: "\u2068" + p.Players[i%4].Name + "\u2069 lays tiles.", Laid: faces})
	}
	return p
}

func document(t testing.TB, ctx context.Context, size pdf.Size, sheet ...Sheet) []byte {
	t.Helper()
	out, err := Document(ctx, size, about, sheet...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEverySheetIsDrawn renders every sheet in every size and several languages; -look keeps the files.
func TestEverySheetIsDrawn(t *testing.T) {
	for _, players := range []int{0, 1, 31} {
		for name, sheet := range sheets(players) {
			for _, size := range pdf.Sizes {
				for _, tag := range []string{"en", "it", "he"} {
					out := document(t, locale.WithLanguage(t.Context(), tag), size, sheet)
					if *look != "" && players == 31 {
						if err := os.WriteFile(filepath.Join(*look, name+"-"+size.Name+"-"+tag+".pdf"), out,
							0o600); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	}
}
