package engine_test

import (
	"flag"
	"os"
	"testing"

	"meldhall/engine"
	"meldhall/engine/audit"
)

// TestMain gives the tests of the engine the second referee, who stands on the engine. Random games are the same in each run,
// unless -rapid.seed says which; those that nobody has seen yet are looked at by `meldbench rulings`.
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
