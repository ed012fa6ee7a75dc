package engine_test

import (
	"os"
	"testing"

	"meldhall/engine"
	"meldhall/engine/audit"
)

// TestMain gives the tests of the engine the second referee, who stands on the engine.
func TestMain(m *testing.M) {
	engine.SecondReferee = audit.Log
	os.Exit(m.Run())
}
