package game

import (
	"os"
	"testing"

	"meldhall/tournament/store/storetest"
)

// TestMain runs the tests on both databases, with the exception of those that need a SQLite file. A synctest bubble
// cannot use a server, because its network is outside the bubble. A full disk, another program's lock, and a copy
// during which moves wait concern a file.
func TestMain(m *testing.M) {
	os.Exit(storetest.OnBoth(m,
		"TestAHeldKeyKeepsTheTurnOpen|TestAnotherProgramHoldsTheLock|TestCopyWhileTablesPlay|"+
			"TestDiskThatIsFull|TestExpiryThatCannotBeWritten|TestHeartbeatWhileTimeIsOwed|"+
			"TestRefusedWriteStopsAllClocks|TestRefusedWritesCountFromTheFirst|"+
			"TestSleepOfTheMachineIsAnOutage|TestShortGapAtTheEndOfATurn|TestShortGapBeforePlay|"+
			"TestShortGapIsOwedAfterAStart|TestShortGapIsGivenBackWhenTimeWouldRunOut|"+
			"TestStallCostsNobodyATurn|TestStallInTheMiddleOfATurn|TestStallIsOneOutage|"+
			"TestStartGoesOnByItself|TestStopLetsTheClocksStand|TestStopPaysWhatIsOwed|"+
			"TestTurnsExpireByThemselves|TestWriteThatWasMadeThoughItFailed"))
}
