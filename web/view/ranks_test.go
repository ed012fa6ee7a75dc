package view_test

import (
	"fmt"
	"slices"
	"testing"

	"meldhall/templates/locale"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
	"meldhall/web/view"
)

// tiedStandings returns the standings of 16 players: 4 lead, 8 tie for the 5th place, and 4 are last.
func tiedStandings(cut ranking.Cut, final bool) ranking.Standings {
	s := ranking.Standings{Stages: []format.Stage{{Name: "preliminary"}, {Name: "final", Cut: 8}}, Cut: &cut,
		CutFinal: final}
	for i := range 16 {
		row := ranking.StandingsRow{Name: fmt.Sprint("P", i+1), Number: i + 1}
		row.Player, row.Games = int64(i+1), 1
		switch {
		case i < 4:
			row.Place = 1
		case i < 12:
			row.Place = 5
		default:
			row.Place = 13
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

func TestRankRowsShowATieAtTheCut(t *testing.T) {
	first, tied := []int64{1, 2, 3, 4}, []int64{5, 6, 7, 8, 9, 10, 11, 12}
	for _, c := range []struct {
		name    string
		cut     ranking.Cut
		final   bool
		lines   []int // rows with a line above them
		ties    int
		through []int64
		words   string
	}{
		{"a tie", ranking.Cut{Stage: 1, Size: 8, In: first, Tied: tied, Places: 4, Ties: [][]int64{tied},
			Decides: []string{format.TieLot}}, true,
			[]int{4, 12}, 8, first,
			"Tie at the cut to “Final” (players: 8, places: 4). A draw of lots decides who advances."},
		{"a tie, games to come", ranking.Cut{Stage: 1, Size: 8, In: first, Tied: tied, Places: 4,
			Ties: [][]int64{tied}, Decides: []string{format.TiePlayOff, format.TieLot}}, false,
			[]int{4, 12}, 8, nil,
			"Tie at the cut to “Final” (players: 8, places: 4). A play-off decides who advances, then a draw of lots. The games still to come may change this."},
		{"a lot was drawn", ranking.Cut{Stage: 1, Size: 8, In: first, Tied: tied, Places: 4,
			Lot: &ranking.Lot{Drawn: tied}}, true, []int{4, 12}, 0, first, ""},
		{"no tie", ranking.Cut{Stage: 1, Size: 12, In: append(slices.Clone(first), tied...)}, true, []int{12}, 0,
			first, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tiedStandings(c.cut, c.final)
			ctx := locale.WithLanguage(t.Context(), "en")
			var lines []int
			ties := 0
			for i, row := range view.RankRows(ctx, s, c.through) {
				if row.Cut {
					lines = append(lines, i)
				}
				if row.Tied {
					ties++
				}
				if row.Tied && (row.Through || i < 4 || i > 11) {
					t.Errorf("row %d: %+v", i, row)
				}
			}
			if !slices.Equal(lines, c.lines) || ties != c.ties {
				t.Errorf("lines above %v, %d tied; want %v, %d", lines, ties, c.lines, c.ties)
			}
			if got := view.CutTieWords(ctx, s); got != c.words {
				t.Errorf("got %q, want %q", got, c.words)
			}
			for _, l := range locale.LanguagesOf(ctx) {
				if own := view.CutTieWords(locale.WithLanguage(t.Context(), l.Tag), s); l.Tag != "en" &&
					own == c.words && own != "" {
					t.Errorf("%s: English", l.Tag)
				}
			}
		})
	}
}
