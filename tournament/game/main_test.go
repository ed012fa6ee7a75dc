package game

import (
	"os"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

// In a bubble of synctest there is no server: its network is outside.
func TestMain(m *testing.M) {
	os.Exit(storagetest.OnBoth(m, "TestDiskThatIsFull|TestExpiryThatCannotBeWritten|TestRefusedWriteStopsAllClocks|TestRefusedWritesCountFromTheFirst|TestSleepOfTheMachineIsAnOutage|TestStallCostsNobodyATurn|TestStallInTheMiddleOfATurn|TestStallIsOneOutage|TestStartGoesOnByItself|TestTurnsExpireByThemselves"))
}
