package main

import (
	"fmt"
	"strings"
	"testing"

	"meldhall/tournament/pairing"
)

// TestSeatsByStanding checks the targets for drawing round by round, on a few of the tournaments in the printed table.
func TestSeatsByStanding(t *testing.T) {
	s := standingsSeason{players: 32, rounds: 8}
	for seed := range uint64(3) {
		if err := s.play(seed); err != nil {
			t.Fatal(err)
		}
	}
	if s.extra > 8*s.events || s.inRow > 0 || s.most > 2 {
		t.Errorf("got %+v", s)
	}
	var b strings.Builder
	if s.print(&b); !strings.Contains(b.String(), "(3 events)") {
		t.Errorf("printed %q", b.String())
	}
}

// BenchmarkSeats plans the tournaments of the table, and reports the results beside the counting bound.
func BenchmarkSeats(b *testing.B) {
	for _, row := range seatTable {
		b.Run(fmt.Sprintf("%dx%d", row.players, row.rounds), func(b *testing.B) {
			var rep pairing.Report
			for seed := int64(1); b.Loop(); seed++ {
				got, err := pairing.Seat(seatRequest(row.players, row.rounds, pairing.Plan, seed))
				if err != nil {
					b.Fatal(err)
				}
				rep = got.Report
			}
			b.ReportMetric(float64(rep.Extra), "extra")
			b.ReportMetric(float64(rep.Bound), "bound")
			b.ReportMetric(float64(rep.Uneven), "uneven")
		})
	}
}

// BenchmarkSeatsByStanding draws tournaments round by round; with -benchtime 50x they are those of the table.
func BenchmarkSeatsByStanding(b *testing.B) {
	s := standingsSeason{players: 32, rounds: 8}
	for seed := uint64(0); b.Loop(); seed++ {
		if err := s.play(seed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(s.extra)/float64(s.events), "extra/event")
	b.ReportMetric(float64(s.inRow), "in-a-row")
	b.ReportMetric(s.fullest(), "fullest/mean")
}
