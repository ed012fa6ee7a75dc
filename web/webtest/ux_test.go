package webtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ux lists the usability requirements: the ground rules for all screens (5), the player's tablet (6.1) and the table
// display (6.2), each with the tests that show it. Measured figures are rows of TestTabletFigures. If a requirement
// needs people or real tablets, the note names the nearest automatic check or the gap.
var ux = []struct{ item, says, shown, note string }{
	{"5 targets", "every drag has a single-pointer way; targets of 44 px; acting on release",
		"TestBrowserWinsAGame TestBrowserTabletFits TestBrowserSlidingOffAKeyCancels", ""},
	{"5 no colour alone", "shape on every tile, sign and word at every state", "TestColours TestScreensHaveNoBarriers",
		""},
	{"5 both orientations", "1280x800, 800x1280 and phones",
		"TestBrowserTabletFits TestBrowserPhone TestScreensHoldLongTexts", ""},
	{"5 status", "live regions; the focus is kept and seen", "TestBrowserKeysAndFocus TestScreensHaveNoBarriers", ""},
	{"5 joining without memory", "QR and one tap", "TestBrowserWinsAGame TestCodes", ""},
	{"5 no flashes", "nothing flashes; less motion where it is asked for", "TestBrowserTilesGlide TestBrowserRummikub",
		""},
	{"5 longer turns", "the organizer gives a seat longer turns", "TestExtraTime TestExtraTimeOfAPlayer", ""},
	{"5 spoken clock", "30, 10, 5 and over are said once each", "TestSpeech", ""},
	{"5 tile colours", "contrast on ivory, least CIEDE2000 over four kinds of sight", "TestColours", ""},
	{"5 right to left", "pages turn round, runs do not; names are isolated",
		"TestScreensHaveNoBarriers TestScreensHoldLongTexts TestBrowserRunsGoFromLeftToRight", ""},
	{"5 languages", "a language is a file; the longest texts fit",
		"TestOwnLanguage TestLanguagesAgree TestScreensHoldLongTexts", ""},
	{"5 offline venue", "one binary, no other host; a check page for tablets",
		"TestAssets TestHeaders TestBrowserChecksATablet", ""},

	{"6.1.1", "from the QR code to the own seat within 10 s, no typing, one tap",
		"TestBrowserWinsAGame TestTabletFigures", ""},
	{"6.1.2", "tiles of 11 mm and 44 px; 106 tiles without pinching; zoom",
		"TestBrowserTabletFits TestBrowserTilesAreLargeEnough TestBrowserFeltMatrix TestBrowserPhone TestBrowserPhoneReaches", ""},
	{"6.1.3", "every move by tap and by drag; a whole set by one handle", "TestBrowserWinsAGame TestBrowserPartsOfASet",
		""},
	{"6.1.4", "the drag follows the finger; a drop on nothing returns the tile",
		"TestTabletFigures TestBrowserPartsOfASet", "measured under 4x CPU throttling, not on a tablet of 2019"},
	{"6.1.5", "undo and reset in the turn, never after it", "TestBrowserPartsOfASet TestTabletFigures", ""},
	{"6.1.6", "each set's sign and word, the running total of the opening",
		"TestBrowserWinsAGame TestDraftReply TestTabletFigures", ""},
	{"6.1.7", "End turn and Draw of 14 mm, 16 mm from Undo; Draw asks once when tiles lie out",
		"TestBrowserTabletFits TestBrowserDrawAsks", ""},
	{"6.1.8", "sent, accepted and refused are three texts; never accepted before the answer",
		"TestBrowserSendsUntilAnswered", ""},
	{"6.1.9", "the clock in sight, within 100 ms; sizes, signs, sound and vibration",
		"TestBrowserClock TestTabletFigures", ""},
	{"6.1.10", "time over is told in one sentence; the change glides or jumps",
		"TestBrowserKeepsTheDraft TestBrowserTilesGlide", ""},
	{"6.1.11", "out of turn: sorting and a private plan", "TestBrowserRack TestPlannedSets TestSecrecy", ""},
	{"6.1.12", "the last change stays marked, and is shown again on a tap",
		"TestBrowserShowsTheLastTurnAgain TestGamePage", ""},
	{"6.1.13", "offline is said within 3 s; back within 1 s", "TestBrowserSaysALostConnection", ""},
	{"6.1.14", "reload and sleep keep the draft; a low battery is told to the referee",
		"TestBrowserReloadsAtAnyMoment TestBrowserSleepsAndWakes TestBrowserTwoDevicesOfOneSeat TestDevices", ""},
	{"6.1.15", "the referee is called by one tap from everywhere, the state shown",
		"TestBrowserBetweenGames TestCallsAreNotPublic", ""},
	{"6.1.16", "tiles are named right in grey and with three kinds of colour vision", "TestColours TestBrowserShapes",
		"people are needed to name 52 tiles; the computed differences and the shapes stand for them"},
	{"6.1.17", "a full game by keyboard; the focus is never lost", "TestBrowserWinsAGame TestBrowserKeysAndFocus",
		"VoiceOver and TalkBack need their devices; names, roles and live regions are tested"},
	{"6.1.18", "nothing else on the screen; a guide of a minute and a practice board",
		"TestGuideIsShort TestBrowserLesson TestBrowserPractises", ""},

	{"6.2.1", "legible at 2 m", "TestBrowserDisplayIsLegible TestDisplayNumerals", ""},
	{"6.2.2", "never a rack's tile or the pool's order", "TestDisplayKeepsSecrets", ""},
	{"6.2.3", "a change is shown within 300 ms, moved tiles marked", "TestTabletFigures TestDisplayFollowsTheTable",
		""},
	{"6.2.4", "readable from all sides by setting", "TestBrowserDisplayGoesOn", ""},
	{"6.2.5", "power-up to board without a person", "TestPairingAScreen", ""},
	{"6.2.6", "the network gone and back: the right board within 5 s", "TestBrowserDisplayComesBack", ""},
	{"6.2.7", "not live since, the clock hidden", "TestBrowserDisplayGoesOn", ""},
	{"6.2.8", "a ruling as a banner until the next turn", "TestDisplayFollowsTheTable", ""},
	{"6.2.9", "the last five turns; stepping back", "TestBrowserDisplayGoesOn", ""},
	{"6.2.10", "no burn-in", "TestBrowserDisplayGoesOn", ""},
	{"6.2.11", "the clock as number and ring", "TestBrowserDisplayGoesOn", ""},
	{"6.2.12", "long names in two lines, the number kept", "TestBrowserDisplayIsLegible", ""},
	{"6.2.13", "paired by one scan of the staff", "TestPairingAScreen", ""},
}

// TestUX checks that every requirement names existing tests.
func TestUX(t *testing.T) {
	there := testsOfTheHouse(t)
	for _, s := range ux {
		names := strings.Fields(s.shown)
		if len(names) == 0 || s.says == "" {
			t.Errorf("%s is shown by nothing", s.item)
		}
		for _, name := range names {
			if !there[name] {
				t.Errorf("%s names %s, which is no test", s.item, name)
			}
		}
	}
	for section, n := range map[string]int{"6.1": 18, "6.2": 13} {
		for i := range n {
			item := fmt.Sprintf("%s.%d", section, i+1)
			if !strings.Contains(fmt.Sprint(ux), "{"+item+" ") {
				t.Errorf("%s is not listed", item)
			}
		}
	}
}

// testsOfTheHouse returns the repository's tests, by name and by package and name.
func testsOfTheHouse(t *testing.T) map[string]bool {
	t.Helper()
	found, name := map[string]bool{}, regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range name.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = true
			found[strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")+" "+m[1]] = true
		}
		return err
	})
	if err != nil || len(found) < 100 {
		t.Fatalf("%d tests found, %v", len(found), err)
	}
	return found
}
