package tournament_test

import (
	"testing"

	"meldhall/tournament/eventtest"
)

func TestMain(m *testing.M) { eventtest.Main(m) }
