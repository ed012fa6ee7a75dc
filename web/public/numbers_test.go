package public

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"

	"meldhall/engine/score"
	"meldhall/templates"
	"meldhall/templates/public"
)

// TestTheLargestCrosstableIsLight checks that the largest crosstable with meetings, in which all players have met,
// stays within the 100 KiB of a public page.
func TestTheLargestCrosstableIsLight(t *testing.T) {
	view := public.CrossView{Event: 12, Met: true}
	for round := 1; round <= 12; round++ {
		view.Columns = append(view.Columns, public.CrossColumn{Title: fmt.Sprint(round), Round: round,
			At: templates.PastRoundPath(12, int64(round))})
	}
	for i := range metMost {
		row := public.CrossRow{PastName: public.PastName{ID: int64(1000 + i),
			Name: fmt.Sprintf("Player of thirty letters %05d", i*7919)}, Rank: fmt.Sprint(i + 1)}
		for round := range view.Columns {
			row.Cells = append(row.Cells, public.PastScore{Known: true,
				Points: score.Whole((i*37+round*101)%400 - 200)})
		}
		for j := range metMost {
			row.Against = append(row.Against, public.Opponent{PastName: public.PastName{ID: int64(1000 + j)},
				Games: 3, Ahead: (i + j) % 3, Behind: (i * j) % 3})
		}
		view.Rows = append(view.Rows, row)
	}
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if err := public.CrosstableRegion(view).Render(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Logf("%d KiB", zipped.Len()>>10)
	if zipped.Len() > 100<<10 {
		t.Errorf("%d KiB", zipped.Len()>>10)
	}
}
