package archive

import (
	"os"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

func TestMain(m *testing.M) {
	os.Exit(storagetest.OnBoth(m, "TestEveryColumnIsDecidedOn|TestForgeries"))
}
