package archive

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/people"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// columns are the columns of the table in data/record/attacks.md.
var columns = [4]conditions{
	{name: "everything", signed: true, watched: true},
	{name: "no witness, keys known", signed: true, known: true},
	{name: "no witness", signed: true},
	{name: "no signatures", watched: true},
}

// attack is a way to make one of the sixteen attacks of an operator who has the database, the source and the server's
// keys. shows holds, by column, a part of a text that shows it to a stranger: "" if nothing does, notHere if the attack
// makes no sense there. In the first column, names is a part of a text that names the game, the turn or the record.
type attack struct {
	number int
	name   string
	how    tampering
	names  string
	shows  [4]string
}

const notHere = "-"

// always is for attacks that the same text shows in all columns, and watched for those that the witness shows.
func always(text string) [4]string  { return [4]string{text, text, text, text} }
func watched(text string) [4]string { return [4]string{0: text, 3: text} }

// what shows an attack
const (
	twice    = "two histories"
	unsigned = "not signed, although the tablet signs: "
	unruled  = "not signed, although the official's device signs: "
	game3    = "game 3: the log of 68 events was seen by the witness, and is not in the archive"
	deal2    = "game 2: the deal of event 2 is not the one that the witness has seen"
	ruling   = "game 3: the ruling of event 67 (turn 60) was not seen by the witness"
	late     = "was logged 29 minutes after its time"
	suited   = "so the operator could draw until they suited"
	byClock  = "round 2, table 1, game 1: ended by the clock, by the operator's word: turn "
	tablet   = "player 8 (Player 8) has another key since 2026-05-01 10:00:00 UTC, referee:Rita has replaced the tablet"
)

func attacks() []attack { return append(attacksOnGames(), attacksOnRecords()...) }

func attacksOnGames() []attack {
	return []attack{
		{1, "pick a deal: the devices seem absent", pickDeal(), "round 1, table 2, game 1, deal 1 (seats 1, 2, 3, 4)",
			always("devices took no part in these shuffles")},
		{1, "pick a deal: another secret", pickSecret(), "round 1, table 2, game 1: " + unsigned + "turn 0, seq 3",
			[4]string{deal2, unsigned, "", deal2}},
		{2, "deal again until it suits", dealAgain(), "game 2", watched("the shuffle began again")},
		{3, "insert a move", insertMoves(), "round 2, table 1, game 1: " + unsigned + "turn 11",
			[4]string{game3, unsigned, "", game3}},
		{4, "alter a move", alterMove(), "round 2, table 1, game 1: " + unsigned + "turn 17",
			[4]string{game3, unsigned, "", game3}},
		{5, "drop a move: its turn expires", dropMove(), byClock + "11, seq 18: seat 3",
			[4]string{game3, unsigned, byClock, game3}},
		{5, "drop all moves from a turn on: they expire", dropMoves(), byClock + "10, seq 17: seat 2",
			[4]string{game3, byClock, byClock, game3}},
		{5, "drop a move: a referee skips the turn", skipTurn(), "game 3: the ruling of event 18 (turn 11) was not seen",
			[4]string{game3, unsigned, "", game3}},
		{6, "invent a ruling", inventRuling(), "game 3: the log of 69 events",
			[4]string{ruling, unruled + "round 2, table 1, game 1, turn 60, seq 67", "", ruling}},
		{7, "backdate a ruling", backdateRuling(), "game 2: the ruling of event 19 (turn 11)",
			[4]string{late, unruled + "round 1, table 2, game 1, turn 11, seq 19", "", late}},
	}
}

func attacksOnRecords() []attack {
	return []attack{
		{8, "show two histories", twoHistories(), "(sanction.give) is not the one",
			[4]string{twice, unruled + "record 24 (sanction.give)", "", twice}},
		{9, "change the roster afterwards", changeRoster(), "record 3 (people.enter) is not the one", watched(twice)},
		{10, "drop a game", dropGame(), "game 3: the ruling of event 8 (turn 1) was not seen",
			[4]string{game3, unruled + "round 2, table 1, game 1, turn 1, seq 8", "", game3}},
		{10, "annul a game and play another", replayGame(), "record 25 (result.replay) is not the one",
			[4]string{twice, "round 2, table 1, game 2: " + unsigned, "devices took no part", twice}},
		{11, "change a place", changePlace(), "record 25 (result.correct_result) is not the one",
			[4]string{twice, unruled + "record 25", "", twice}},
		{12, "replace the whole archive", replaceAll(), "game 1: the deal of event 2 is not the one",
			[4]string{twice, "0 of 152 commands", "", twice}},
		{13, "present an old archive", oldArchive(), game3, watched("the archive is older than what the witness has seen")},
		{14, "redraw a round: another promise", redraw(), "record 2 (round.promise) is not the one", watched(twice)},
		{14, "redraw a round: no promise", pickSeed(), "suited: 1", always(suited)},
		{15, "swap a key", swapKey(), tablet, [4]string{tablet, tablet, tablet, ""}},
		{15, "swap a key from the start", ownKey(), "record 6 (device.key) is not the one",
			[4]string{twice, "player 4 says that this is another key", "", notHere}},
		{16, "run a different program", otherProgram(), "games/0001.json: turn 1, seq 8: tiles_played",
			always("cannot have happened: meld_short")},
	}
}

// TestAttacks checks which of the sixteen attacks a stranger detects who has the archive, a policy and what one witness
// kept, which of them without a witness, and which without signatures.
func TestAttacks(t *testing.T) {
	testmode.SkipUnderRace(t)
	truth := map[bool]*played{true: asPlayed(t, true), false: asPlayed(t, false)}
	document, err := os.ReadFile("../../data/record/attacks.md")
	if err != nil {
		t.Fatal(err)
	}
	missed := [4]map[int]bool{{}, {}, {}, {}}
	for _, a := range attacks() {
		marks := fmt.Sprintf("| %d | %s |", a.number, a.name)
		for i, c := range columns {
			switch a.shows[i] {
			case "":
				missed[i][a.number] = true
				marks += " no |"
			case notHere:
				marks += " |"
			default:
				marks += " yes |"
			}
			if a.shows[i] != notHere {
				t.Run(fmt.Sprint(a.number, " ", a.name, ", ", c.name), func(t *testing.T) { a.try(t, i, truth[c.signed]) })
			}
		}
		if t.Log(marks); !bytes.Contains(document, []byte(marks)) {
			t.Errorf("attacks.md does not have the row %s", marks)
		}
	}
	sums := "| | detected, of 16 |"
	for _, numbers := range missed {
		sums += fmt.Sprintf(" %d |", 16-len(numbers))
	}
	if t.Log(sums); !bytes.Contains(document, []byte(sums)) || len(missed[0]) > 0 {
		t.Errorf("attacks.md does not have the row %s", sums)
	}
}

// asPlayed plays the true event. It checks that nothing is wrong with it, and that another play gives the same archive.
func asPlayed(t *testing.T, signed bool) (p *played) {
	t.Run(fmt.Sprint("as it was played, signed: ", signed), func(t *testing.T) {
		p = play(t, conditions{signed: signed, watched: true}, tampering{}, nil)
		p.trueArchive = p.archived()
		all, err := Of(t.Context(), p.DB, p.event.ID)
		if err != nil || all.Manifest.SHA256 != p.trueArchive.Manifest.SHA256 {
			t.Error("Of makes another archive", err)
		}
		if found := p.stranger(t, p.trueArchive, columns[0], p.kept()); len(found) > 0 {
			t.Error(found)
		}
		again := play(t, p.conditions, tampering{live: true, followed: true}, p).archived()
		if !bytes.Equal(again.files[manifestName], p.trueArchive.files[manifestName]) {
			t.Error("another play gives another archive")
		}
	})
	return p
}

// try forges the event and checks what shows that to a stranger in a column.
func (a attack) try(t *testing.T, column int, truth *played) {
	c, shows := columns[column], a.shows[column]
	forged, kept := truth.before, truth.kept()
	if !a.how.old {
		p := play(t, c, a.how, truth)
		forged = p.archived()
		if a.how.until > 0 {
			kept = truth.looks[a.how.until-1]
		}
		if len(p.looks) > 0 {
			kept = p.kept()
		}
	}
	found := strings.Join(truth.stranger(t, forged, c, kept), "\n")
	if shows == "" && found != "" || !strings.Contains(found, shows) ||
		column == 0 && !strings.Contains(found, a.names) {
		t.Errorf("want %q and %q:\n%s", shows, a.names, found)
	}
	if column != 0 || a.how.followed || a.how.old {
		return
	}
	// the operator may also leave the log alone, with the cosignature of the witness
	forged.files[logName] = truth.trueArchive.files[logName]
	forged.setManifest(forged.Manifest)
	if _, err := forged.Verify(t.Context()); err == nil {
		t.Error("nothing shows it if the log is the true one")
	}
}

// kept returns what the witness has at the end.
func (p *played) kept() Kept { return p.looks[len(p.looks)-1] }

// signedCount matches the note that counts signed commands.
var signedCount = regexp.MustCompile(`^(\d+) of (\d+) commands of players are signed`)

// stranger returns the faults that a stranger finds in an archive, and the notes that the true one does not have.
func (p *played) stranger(t *testing.T, a *Archive, c conditions, kept Kept) (found []string) {
	t.Helper()
	a.Notes, a.open = nil, func(string) (*store.DB, error) { return store.OpenScratch(storetest.At(t)) }
	_, err := a.Verify(t.Context())
	policy := Policy{Logs: []string{p.server}, Witnesses: []string{p.witness.Witness.String()}}
	if c.watched {
		policy.Need = 1
	}
	_, untrusted := a.Trust(policy)
	err = errors.Join(err, untrusted)
	if c.watched {
		err = errors.Join(err, a.Continues(map[string]Kept{p.origin: kept}))
	}
	if err != nil {
		found = strings.Split(err.Error(), "\n")
	}
	if c.known {
		found = append(found, p.otherKeys(t, a)...)
	}
	return append(found, slices.DeleteFunc(a.Notes, func(n string) bool {
		count := signedCount.FindStringSubmatch(n)
		return count != nil && (count[1] == count[2] || !p.signed && count[1] == "0")
	})...)
}

// otherKeys compares the keys of an archive with those that the players' devices have.
func (p *played) otherKeys(t *testing.T, a *Archive) (found []string) {
	t.Helper()
	all, err := a.rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range all["audit"] {
		audit := partNamed("audit")
		r := readRecord(row{&audit, values})
		if r.kind == people.KeyKind.Name && dataOf[people.BoundKey](r).Key != p.device(int64(r.about.Player)).Key() {
			found = append(found, fmt.Sprintf("player %d says that this is another key", r.about.Player))
		}
	}
	return found
}
