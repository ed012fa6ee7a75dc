package standing_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament/format"
	"meldhall/tournament/standing"
)

var update = flag.Bool("update", false, "write what the vectors want again")

const vectorsFile = "../../data/record/vectors/standings.json"

// vector is an input of the ranking and what must follow from it. Players are named by start number, which is also
// their id.
type vector struct {
	Name      string          `json:"name"`
	Method    string          `json:"method"`
	Stages    []vectorStage   `json:"stages"`
	Players   []vectorWho     `json:"players"`
	Games     []vectorGame    `json:"games"`
	Penalties []penalty       `json:"penalties,omitempty"`
	Lots      []lot           `json:"lots,omitempty"`
	Cut       int             `json:"cut,omitempty"`
	Qualify   *qualify        `json:"qualify,omitempty"`
	Want      json.RawMessage `json:"want"`
}

type (
	vectorStage struct {
		FirstRound int            `json:"first_round"`
		Entrants   []int64        `json:"entrants"`
		CarryOver  string         `json:"carry_over"`
		Scoring    format.Scoring `json:"scoring"`
		Lowest     bool           `json:"lowest,omitempty"`
	}
	vectorWho struct {
		Number       int  `json:"number"`
		Withdrawn    bool `json:"withdrawn,omitempty"`
		Disqualified bool `json:"disqualified,omitempty"`
	}
	vectorGame struct {
		Game        int64  `json:"game"`
		Round       int    `json:"round"`
		Stage       int    `json:"stage"`
		Table       int64  `json:"table"`
		Number      int    `json:"number"`
		PlayOff     int    `json:"play_off,omitempty"`
		Provisional bool   `json:"provisional,omitempty"`
		Lines       []line `json:"lines"`
	}
	line struct {
		Player int64         `json:"player"`
		Points score.Twelfth `json:"points"`
		Wins   score.Twelfth `json:"wins"`
		Turn   int           `json:"turn,omitempty"`
	}
	penalty struct {
		Player int64         `json:"player"`
		Round  int           `json:"round"`
		Stage  int           `json:"stage"`
		Points score.Twelfth `json:"points"`
	}
	lot struct {
		Stage int     `json:"stage"`
		Drawn []int64 `json:"drawn"`
	}
	qualify struct {
		Places   int              `json:"places"`
		Reserves int              `json:"reserves"`
		Waivers  map[int64]string `json:"waivers,omitempty"`
	}
)

// wanted is what a vector wants, in the form of standings.json.
type wanted struct {
	Order     []string `json:"order"`
	Places    []row    `json:"places"`
	Cut       *cutLine `json:"cut,omitempty"`
	Qualifies []entry  `json:"qualification,omitempty"`
}

type (
	row struct {
		Place        int             `json:"place"`
		Player       int64           `json:"player"`
		Stage        int             `json:"stage"`
		Games        int             `json:"games"`
		Wins         score.Twelfth   `json:"wins"`
		TablePoints  score.Twelfth   `json:"table_points"`
		Carried      score.Twelfth   `json:"carried"`
		Points       score.Twelfth   `json:"points"`
		Penalties    score.Twelfth   `json:"penalties"`
		Total        score.Twelfth   `json:"total"`
		Provisional  bool            `json:"provisional,omitempty"`
		Withdrawn    bool            `json:"withdrawn,omitempty"`
		Disqualified bool            `json:"disqualified,omitempty"`
		Why          standing.Reason `json:"why"`
	}
	cutLine struct {
		In     []int64 `json:"in"`
		Tied   []int64 `json:"tied,omitempty"`
		Places int     `json:"places,omitempty"`
	}
	entry struct {
		Player int64  `json:"player"`
		Place  int    `json:"place"`
		State  string `json:"state,omitempty"`
		Nth    int    `json:"nth,omitempty"`
	}
)

func (v vector) input() standing.Input {
	in := standing.Input{Method: v.Method}
	for _, p := range v.Players {
		in.Players = append(in.Players, standing.Player{ID: int64(p.Number), Number: p.Number, Withdrawn: p.Withdrawn,
			Disqualified: p.Disqualified})
	}
	for _, s := range v.Stages {
		in.Stages = append(in.Stages, standing.Stage{FirstRound: s.FirstRound, Entrants: s.Entrants,
			Carry: s.CarryOver, Scoring: s.Scoring, Lowest: s.Lowest})
	}
	for _, g := range v.Games {
		for _, l := range g.Lines {
			in.Lines = append(in.Lines, standing.Line{Player: l.Player, Round: g.Round, Stage: g.Stage, Game: g.Game,
				Table: g.Table, Order: g.Number, Turn: l.Turn, PlayOff: g.PlayOff, Wins: l.Wins, Points: l.Points,
				Provisional: g.Provisional})
		}
	}
	for _, p := range v.Penalties {
		in.Penalties = append(in.Penalties, standing.Penalty(p))
	}
	for _, l := range v.Lots {
		in.Lots = append(in.Lots, standing.Lot(l))
	}
	return in
}

// ranked returns this program's result for a vector.
func (v vector) ranked() (w wanted) {
	in := v.input()
	rows := standing.RankUnmoved(in)
	last := len(in.Stages) - 1
	w.Order = standing.Order(in, last)
	var of []standing.Row
	for _, r := range rows {
		w.Places = append(w.Places, row{r.Place, r.Player, r.Stage + 1, r.Games, r.Wins, r.TablePoints, r.Carried,
			r.Points, r.Penalties, r.Total, r.Provisional, r.Withdrawn, r.Disqualified, r.Reason})
		if r.Stage == last {
			of = append(of, r)
		}
	}
	if v.Cut > 0 {
		c := standing.Cut(of, v.Cut)
		w.Cut = &cutLine{c.In, c.Tied, c.Places}
	}
	if v.Qualify != nil {
		for _, e := range standing.Qualify(rows, v.Qualify.Places, v.Qualify.Reserves, v.Qualify.Waivers) {
			w.Qualifies = append(w.Qualifies, entry{e.Player, e.Standing, e.State, e.Nth})
		}
	}
	return w
}

// TestVectors checks the ranking against data/record/vectors/standings.json.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		About     string   `json:"about"`
		Standings []vector `json:"standings"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for i, one := range v.Standings {
		var want wanted
		is := one.ranked()
		if err := json.Unmarshal(one.Want, &want); !*update && (err != nil || !reflect.DeepEqual(is, want)) {
			have, _ := json.Marshal(is)
			t.Errorf("%s: %s, want %s", one.Name, have, one.Want)
		}
		one.Want, _ = json.Marshal(is)
		whole, _ := json.Marshal(one)
		out.WriteString([]string{",\n  ", "\n  "}[max(0, 1-i)] + string(whole))
	}
	if *update {
		about, _ := json.Marshal(v.About)
		if err := os.WriteFile(vectorsFile, []byte("{\n \"about\": "+string(about)+",\n \"standings\": ["+out.String()+
			"\n ]\n}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d vectors", len(v.Standings))
}
