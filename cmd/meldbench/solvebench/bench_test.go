package main

import (
	"testing"
	"time"

	"meldhall/engine/solve"
)

// benchmarkClasses measures one answer per iteration, cycling through the positions of a class, and reports p50 and p99
// in addition to the mean.
func benchmarkClasses(b *testing.B, answer func(p solve.Position)) {
	for _, c := range testSource(b).stages(100) {
		b.Run(c.name, func(b *testing.B) {
			tasks := c.tasks()
			if len(tasks) == 0 {
				b.Skip("the self-play found no such position")
			}
			var times []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				answer(tasks[i%len(tasks)].position)
				times = append(times, time.Since(start))
			}
			s := spreadOf(times)
			b.ReportMetric(s.Median*1000, "p50-ns")
			b.ReportMetric(s.P99*1000, "p99-ns")
		})
	}
}

func BenchmarkBest(b *testing.B) {
	benchmarkClasses(b, func(p solve.Position) { solve.Best(p, solve.Question{}) })
}

func BenchmarkBestKeepingSets(b *testing.B) {
	benchmarkClasses(b, func(p solve.Position) { solve.Best(p, solve.Question{Keep: true}) })
}
