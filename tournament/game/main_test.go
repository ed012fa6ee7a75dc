package game

import (
	"os"
	"testing"

	"meldhall/tournament/storage/storagetest"
)

// In a bubble of synctest there is no server: its network is outside. A full disk, another program's lock, and a copy beside which moves wait, are of a file.
func TestMain(m *testing.M) {
	os.Exit(storagetest.OnBoth(m, "TestAnotherProgramHoldsTheLock|TestCopyWhileTablesPlay|TestDiskThatIsFull|TestExpiryThatCannotBeWritten|TestHeartbeatWhileTimeIsOwed|TestRefusedWriteStopsAllClocks|TestRefusedWritesCountFromTheFirst|TestSleepOfTheMachineIsAnOutage|TestShortGapAtTheEndOfATurn|TestShortGapBeforePlay|TestShortGapIsOwedAfterAStart|TestShortGapIsGivenBackWhenTimeWouldRunOut|TestStallCostsNobodyATurn|TestStallInTheMiddleOfATurn|TestStallIsOneOutage|TestStartGoesOnByItself|TestStopLetsTheClocksStand|TestStopPaysWhatIsOwed|TestTurnsExpireByThemselves|TestWriteThatWasMadeThoughItFailed"))
}
