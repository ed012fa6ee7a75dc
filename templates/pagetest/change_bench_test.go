package pagetest

import (
	"io"
	"testing"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

// BenchmarkTablet renders what an update sends to a tablet after another player's play: with the number of its tiles
// only, and with the changes that it made to a table of seven sets.
func BenchmarkTablet(b *testing.B) {
	before := tableOf("K3 K4 K5 K6 K7 K8 K9 / R7 R8 R9 R10 / " +
		"B4 B5 B6 B7 / O9 J O11 / R13 B13 K13 / O1 O2 O3 / K1 R1 B1")
	after := tableOf("K3 K4 K5 K6 / K6 K7 K8 K9 / R8 R9 R10 / B4 B5 B6 / O9 O10 O11 / R13 B13 K13 J / R7 B7 K7 / " +
		"O1 O2 O3 / K1 R1 B1")
	for _, c := range []struct {
		name string
		last engine.LastView
	}{
		{"count", engine.LastView{Kind: "tiles_played", Seat: 1, Played: faces("K6 O10 K7")}},
		{"changes", engine.LastView{Kind: "tiles_played", Seat: 1, Played: faces("K6 O10 K7"), Before: before,
			After: after}},
	} {
		b.Run(c.name, func(b *testing.B) {
			game := samplePlaying()
			game.View.Last, game.View.Table = &c.last, after.View(nil)
			ctx := locale.WithLanguage(b.Context(), "en")
			b.ReportAllocs()
			for b.Loop() {
				if err := play.GameRegion(game).Render(ctx, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
