package archive

import (
	"os"
	"testing"

	"meldhall/tournament/store/storetest"
)

func TestMain(m *testing.M) {
	os.Exit(storetest.OnBoth(m, "TestEveryColumnIsDecidedOn|TestForgeries|TestAttacks"))
}
