package game

import (
	"os"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

// In a bubble of synctest there is no server: its network is outside. A disk that is full, and a copy beside which moves wait, are of a file.
func TestMain(m *testing.M) {
	os.Exit(storagetest.OnBoth(m, "TestCopyWhileTablesPlay|TestDiskThatIsFull|TestExpiryThatCannotBeWritten|TestRefusedWriteStopsAllClocks|TestRefusedWritesCountFromTheFirst|TestSleepOfTheMachineIsAnOutage|TestStallCostsNobodyATurn|TestStallInTheMiddleOfATurn|TestStallIsOneOutage|TestStartGoesOnByItself|TestTurnsExpireByThemselves"))
}
