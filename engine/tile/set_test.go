package tile

import (
	"testing"
)

func TestReadings(t *testing.T) {
	for _, c := range []struct {
		set        string
		run, group bool
		value      int
		fault      string
	}{
		{"R4 R5 R6", true, false, 15, ""},
		{"R4 J R6", true, false, 15, ""},
		{"J R2 R3", true, false, 6, ""},
		{"R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", true, false, 91, ""},
		{"J R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 J", true, false, 91, ""},
		{"R7 B7 K7", false, true, 21, ""},
		{"R7 B7 K7 O7", false, true, 28, ""},
		{"R7 J K7 J", false, true, 28, ""},
		{"R7 J J", true, true, 24, ""},
		{"J J R13", true, true, 39, ""},
		{"J R1 J", false, true, 3, ""},
		{"J R13 J", false, true, 39, ""},
		{"R1 J J", true, true, 6, ""},
		{"R12 J J", false, true, 36, ""},
		{"J R12 J", true, true, 36, ""},
		{"R7 J J J", true, true, 34, ""},
		{"R4 R5", false, false, 0, FaultTooShort},
		{"", false, false, 0, FaultTooShort},
		{"J J", false, false, 0, FaultTooShort},
		{"J J J", false, false, 0, FaultJokersAlone},
		{"J R1 R2", false, false, 0, FaultOffEnd},
		{"R12 R13 J", false, false, 0, FaultOffEnd},
		{"R12 R13 R1", false, false, 0, FaultRunOrder},
		{"R5 R4 R3", false, false, 0, FaultRunOrder},
		{"R4 R5 R7", false, false, 0, FaultRunGap},
		{"R4 J R5", false, false, 0, FaultRunGap},
		{"R4 J R7", false, false, 0, FaultRunGap},
		{"R7 R7 B7", false, false, 0, FaultColourRepeats},
		{"R7 R7 J", false, false, 0, FaultColourRepeats},
		{"R7 B7 K7 O7 J", false, false, 0, FaultTooLong},
		{"J R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", false, false, 0, FaultTooLong},
		{"R4 B5 K6", false, false, 0, FaultMixed},
		{"R4 R5 K6", false, false, 0, FaultMixed},
		{"R7 B7 K8", false, false, 0, FaultMixed},
		{"R4 J J J J", true, false, 30, ""},
	} {
		t.Run(c.set, func(t *testing.T) {
			faces, err := ParseFaces(c.set)
			if err != nil {
				t.Fatal(err)
			}
			_, run := AsRun(faces)
			_, group := AsGroup(faces)
			if run != c.run || group != c.group {
				t.Errorf("run %v group %v, want %v %v", run, group, c.run, c.group)
			}
			if got := len(Readings(faces)) > 0; got != Valid(faces) || got != (c.run || c.group) {
				t.Errorf("valid %v, readings %v", Valid(faces), got)
			}
			if got := Value(faces); got != c.value {
				t.Errorf("value %d, want %d", got, c.value)
			}
			if got := Fault(faces); got != c.fault {
				t.Errorf("fault %q, want %q", got, c.fault)
			}
		})
	}
}

func TestJokersStandFor(t *testing.T) {
	for _, c := range []struct {
		set   string
		run   bool
		index int
		want  string
	}{
		{"R4 J R6", true, 1, "R5"},
		{"J J R13", true, 0, "R11"},
		{"J J R13", true, 1, "R12"},
		{"J J R13", false, 0, "K13 B13 O13"},
		{"R7 B7 J", false, 2, "K7 O7"},
		{"R7 J K7 B7", false, 1, "O7"},
		{"O11 O12 J", true, 2, "O13"},
	} {
		t.Run(c.set+" "+c.want, func(t *testing.T) {
			faces, _ := ParseFaces(c.set)
			r, ok := AsGroup(faces)
			if c.run {
				r, ok = AsRun(faces)
			}
			want, _ := ParseFaces(c.want)
			got := r.Stands(c.index)
			if !ok || got.Len() != len(want) {
				t.Fatalf("%v %v, want %v", ok, got.List(), want)
			}
			for _, f := range want {
				if !got.Has(f) {
					t.Errorf("%v misses %v", got.List(), f)
				}
			}
		})
	}
}

func TestSetsCostNoMemory(t *testing.T) {
	faces, _ := ParseFaces("R4 J R6 R7 R8")
	if n := testing.AllocsPerRun(100, func() { _ = Valid(faces) && Value(faces) > 0 }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkValid(b *testing.B) {
	faces, _ := ParseFaces("R7 J K7 O7")
	for b.Loop() {
		if !Valid(faces) {
			b.Fatal("no set")
		}
	}
}
