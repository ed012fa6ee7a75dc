//go:build glpk && cgo

package main

import (
	"runtime"
	"strings"
	"testing"

	"meldhall/engine/solve"
)

func TestGLPKFindsTheKnownOptima(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, plain := range []bool{false, true} {
		answers, name := glpkAnswers(plain)
		for _, c := range known(t) {
			if got, err := answers(c.position, c.aim); err != nil || !c.want.met(got) {
				t.Errorf("%s: %s: %v, %v, %v", name, c.name, got, err, c.want)
			}
		}
	}
}

func TestBothSettingsAgree(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fastest, _ := glpkAnswers(false)
	plain, _ := glpkAnswers(true)
	for _, c := range testSource(t).stages(4)[:9] {
		for _, task := range c.tasks() {
			a, err := fastest(task.position, solve.MostValue)
			b, errPlain := plain(task.position, solve.MostValue)
			if err != nil || errPlain != nil || a != b {
				t.Errorf("%s: %+v, %v and %+v, %v", c.name, a, err, b, errPlain)
			}
		}
	}
}

// TestASearchThatGoesAstrayBeginsAgain uses a position for which the fastest settings alone find no optimum in minutes.
func TestASearchThatGoesAstrayBeginsAgain(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := testSource(t)
	s.seed = 7
	p := s.stages(12)[6].tasks()[11].position
	fastest, _ := glpkAnswers(false)
	for _, aim := range []solve.Aim{solve.MostTiles, solve.MostValue} {
		best := solve.Best(p, solve.Question{Aim: aim})
		if got, err := fastest(p, aim); err != nil || got != (optimum{best.Tiles, best.Value}) {
			t.Errorf("%v, %v, ours %d tiles value %d", got, err, best.Tiles, best.Value)
		}
	}
}

func TestGLPKAgreesWithOurs(t *testing.T) {
	answers, _ := glpkAnswers(false)
	var log strings.Builder
	b := &bench{club: testSource(t).rules, answers: answers, repeats: 1, clock: wallClock(t), log: &log}
	s := testSource(t)
	positions := 0
	for _, c := range append(s.stages(5)[:9], s.growth(1)...) {
		positions += b.measure(c.table, c.name, c.tasks()).Positions
	}
	if b.disagree > 0 || b.unproven > 0 || positions < 70 {
		t.Errorf("%d of %d differ, %d are not proven\n%s", b.disagree, positions, b.unproven, &log)
	}
}

func BenchmarkGLPK(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	answers, _ := glpkAnswers(false)
	benchmarkClasses(b, func(p solve.Position) {
		if _, err := answers(p, solve.MostTiles); err != nil {
			b.Fatal(err)
		}
	})
}
