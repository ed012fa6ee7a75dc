package engine_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

// FuzzDecode checks that an event that can be decoded survives encoding and decoding.
func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("testdata/games/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if kind, data, ok := strings.Cut(strings.TrimSpace(line), " 1 "); ok {
				f.Add(kind, []byte(data))
			}
		}
	}
	f.Add("tiles_played", []byte(`{"at":1,"seat":0,"table":"0 R4 R5 R6; 9 K1 O1 B1'","next":{"number":2}}`))
	f.Add("tile_drawn", []byte(`null`))
	f.Add("tile_drawn", []byte(`{"at":1,"seat":-0,"tile":"R4","late":007,"turn":{"number":2,"seat":1,"started":5}}`))
	f.Add("turn_passed",
		[]byte(`{"at":1,"seat":0,"turn":{"number":9223372036854775807,"seat":1,"started":5,"able":true}}`))
	f.Add("turn_passed", []byte(`{"at":1,"seat":0,"turn":{"number":2,"seat":1,"started":5}} `))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		e, err := engine.Decode(kind, engine.EventVersion, data)
		// these are read without encoding/json
		for _, plainly := range []engine.Event{&engine.TilesPlayed{}, &engine.TileDrawn{}, &engine.TurnPassed{}} {
			if plainly.Kind() != kind {
				continue
			}
			if wrong := json.Unmarshal(data, plainly); (wrong == nil) != (err == nil) || err == nil &&
				!reflect.DeepEqual(e, reflect.ValueOf(plainly).Elem().Interface()) {
				t.Fatalf("%s is read as %+v, %v; by encoding/json as %+v, %v", data, e, err, plainly, wrong)
			}
		}
		if err != nil {
			return
		}
		written, err := engine.Encode(e)
		if err != nil {
			return // no such tile
		}
		again, err := engine.Decode(kind, engine.EventVersion, written)
		if err != nil {
			t.Fatalf("%s, then %s: %v", data, written, err)
		}
		if twice, err := engine.Encode(again); err != nil || !bytes.Equal(written, twice) {
			t.Errorf("%s, then %s, %v", written, twice, err)
		}
	})
}

// FuzzTable checks that the table of an event survives writing and reading.
func FuzzTable(f *testing.F) {
	for _, seed := range []string{"", "0 R4 R5 R6;9 K1 O1 B1'", ";", "x R4", "0", "-1 J J", "0  R4",
		"99999999999999999999 R1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var table, again tile.Table
		if table.UnmarshalText(text) != nil {
			return
		}
		written, err := table.MarshalText()
		if err != nil || again.UnmarshalText(written) != nil {
			t.Fatalf("%q is written %q, %v", text, written, err)
		}
		if twice, err := again.MarshalText(); err != nil || !bytes.Equal(written, twice) {
			t.Errorf("%q, then %q, %v", written, twice, err)
		}
	})
}

// FuzzParseRuleset checks that valid rules survive writing and reading, and that an empty object keeps all fields of
// the base.
func FuzzParseRuleset(f *testing.F) {
	files, _ := filepath.Glob("../data/rules/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{`{}`, `null`, `{"turn_seconds":-1}`, `{"name":null}`, `{"meld_points":1e2}`,
		`{"turn_seconds":60}{}`, `{"TURN_SECONDS":90}`} {
		f.Add([]byte(seed))
	}
	base := presets(f)["wrc"]
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ruleset.ParseRuleset(base, data)
		if err != nil {
			return
		}
		written, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ruleset.ParseRuleset(ruleset.Ruleset{}, written); err != nil || again != r {
			t.Errorf("%s: %+v, then %+v, %v", data, r, again, err)
		}
	})
}

// FuzzTwelfth checks that points are rounded to the nearest twelfth and survive writing and reading.
func FuzzTwelfth(f *testing.F) {
	for _, seed := range []string{"1", "-0", "76.5", "0.3333333333333333", "1e300", "NaN", "null", "1e15", "-1e15",
		"0x1p3", "1_0", `"1"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var points, again score.Twelfth
		if json.Unmarshal(data, &points) != nil {
			return
		}
		written, err := json.Marshal(points)
		if err != nil || json.Unmarshal(written, &again) != nil {
			t.Fatalf("%s is %d, written %s, %v", data, points, written, err)
		}
		if math.Abs(float64(points)) < 1e14 && again != points {
			t.Errorf("%s is %d, then %d", data, points, again)
		}
	})
}

// FuzzLog checks that no modified log crashes the functions that walk it.
func FuzzLog(f *testing.F) {
	for _, name := range []string{"casual-emptied-24", "wrc-50-forfeit-21", "club-time_called-67",
		"real-tiles-club-time_called-21"} {
		text, err := os.ReadFile("testdata/games/" + name + ".txt")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var events []engine.Event
		for line := range bytes.Lines(text) {
			kind, data, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" 1 "))
			if e, err := engine.Decode(string(kind), engine.EventVersion, data); err == nil {
				events = append(events, e)
			}
		}
		if _, err := engine.Recheck(events[:min(len(events), 200)]); err == nil { // as meldhall verify does
			_ = engine.SecondReferee(events[:min(len(events), 200)])
		}
	})
}
