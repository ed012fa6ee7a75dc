package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
)

// TestCrash cuts the power of a playing hall a few times; meldbench crash --power does it more often. Nothing
// acknowledged is lost or duplicated, also after a planned stop, and no turn expires. On a disk that lies about syncs,
// the losses are noticed.
func TestCrash(t *testing.T) {
	exe := programOnADisk(t)
	var out bytes.Buffer
	run := crashCmd{Kills: 3, Seed: 1, Tables: 2, Each: 3, Play: 400 * time.Millisecond, Power: true, exe: exe}
	err := run.report(t.Context(), &out)
	if err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	planned := run
	planned.Power, planned.Planned = false, true
	if err := planned.report(t.Context(), &out); err != nil ||
		!strings.Contains(out.String(), "stopped         3 times") {
		t.Errorf("stopped as planned: %v\n%s", err, out.String())
	}
	t.Log(out.String())
	run.lies = true
	err = run.report(t.Context(), &out)
	if err == nil || !strings.Contains(err.Error(), "actions are lost") &&
		!strings.Contains(err.Error(), "is damaged") {
		t.Errorf("a disk that does not sync was not noticed\n%s", out.String())
	}
	t.Log(err)
}

// TestActs checks that missing or changed events, extra events, and a different answer to the same key are found.
func TestActs(t *testing.T) {
	say := func(seq int) []byte {
		reply, err := json.Marshal(client.Answer{Outcome: "tile_drawn", Seq: seq})
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	a := newActs()
	for i, key := range []string{"one", "two", "three", "again", "refused", "open"} {
		a.sending(act{key: key, game: 1})
		switch key {
		case "again":
			a.answered(key, http.StatusOK, say(3))
		case "refused":
			a.answered(key, http.StatusConflict, nil)
		case "open":
			a.answered(key, http.StatusServiceUnavailable, nil)
		default:
			a.answered(key, http.StatusOK, say(i+1))
		}
	}
	if len(a.done) != 3 || len(a.twice) != 1 || a.refused != 1 || len(a.opened()) != 1 {
		t.Errorf("%+v", a)
	}
	a.open = map[string]act{}
	a.hold([]logged{{place{1, 1}, "tile_drawn"}, {place{1, 2}, "turn_expired"}, {place{1, 9}, "tile_drawn"}}, true)
	if len(a.lost) != 2 || len(a.twice) != 2 {
		t.Errorf("lost %q, twice %q", a.lost, a.twice)
	}
	a.confirm(1)
	a.holdResults(map[int64]int{2: 2})
	if len(a.lost) != 3 || len(a.twice) != 3 {
		t.Errorf("lost %q, twice %q", a.lost, a.twice)
	}
	c := a.some(1, rand.New(rand.NewPCG(1, 1)))[0]
	a.repeated(c, http.StatusOK, []byte(`{"outcome":"tile_drawn","seq":3,"again":true}`))
	a.repeated(c, http.StatusOK, []byte(`{"outcome":"tile_drawn","seq":4}`))
	a.repeated(c, http.StatusConflict, []byte("not your turn"))
	if len(a.otherwise) != 2 {
		t.Errorf("otherwise %q", a.otherwise)
	}
}
