package paper

import (
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"meldhall/templates/pdf"
)

// BenchmarkPackOfALargeHall renders the automatic pack for a round of 500 tables with 20 games each, and reports the
// peak of additional memory.
func BenchmarkPackOfALargeHall(b *testing.B) {
	all := sheets(2000)
	scores := all["scores"].(ScoreSheets)
	for i := range scores.Tables {
		scores.Tables[i].Games = 20
	}
	document(b, b.Context(), pdf.A4, all["names"])
	var most uint64
	for b.Loop() {
		most = max(most, peak(func() {
			if err := Write(b.Context(), io.Discard, pdf.A4, about, all["going-on"], all["names"], all["tables"],
				all["standings"], all["cards"], scores, all["blank"]); err != nil {
				b.Fatal(err)
			}
		}))
	}
	b.ReportMetric(float64(most), "peak-bytes")
}

// peak returns the largest increase in the process's memory while do runs, by Go's own accounting of memory from the
// operating system.
func peak(do func()) uint64 {
	held := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64() - sample[1].Value.Uint64()
	}
	runtime.GC()
	debug.FreeOSMemory()
	before := held()
	most, over, done := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			case <-time.After(2 * time.Millisecond):
				most = max(most, held())
			}
		}
	}()
	do()
	close(over)
	<-done
	return most - before
}

// TestPackOfALargeHallTakesLittle checks that a large hall's document creates its compressor only once, not per page,
// and draws what all sheets of a table share only once.
func TestPackOfALargeHallTakesLittle(t *testing.T) {
	scores := sheets(400)["scores"].(ScoreSheets)
	for i := range scores.Tables {
		scores.Tables[i].Games = 20
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	size := len(document(t, t.Context(), pdf.A4, scores))
	runtime.ReadMemStats(&after)
	t.Logf("2,000 score sheets: %d bytes, of memory %d in all", size, after.TotalAlloc-before.TotalAlloc)
	if took := after.TotalAlloc - before.TotalAlloc; took > 160<<20 {
		t.Errorf("%d MiB were taken", took>>20)
	}
	if size > 2<<20 {
		t.Errorf("the document has %d bytes", size)
	}
}
