package engine_test

import (
	"flag"
	"os"
	"testing"

	"meldhall/engine"
	"meldhall/engine/audit"
)

// TestMain gives the engine's tests the second referee, which imports the engine. Random games are the same in each run
// unless -rapid.seed is set. To check new games, run `meldbench rulings`.
func TestMain(m *testing.M) {
	engine.SecondReferee = audit.Log
	flag.Parse()
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		if err := flag.Set("rapid.seed", "20"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
