package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

var update = flag.Bool("update", false, "make the archives of data/record/vectors again")

const vectorsFolder = "../../data/record/vectors/"

// archiveVectors is data/record/vectors/archives.json.
type archiveVectors struct {
	About    string          `json:"about"`
	Archives []archiveVector `json:"archives"`
}

type archiveVector struct {
	Name   string            `json:"name"`
	File   string            `json:"file"`
	Policy *Policy           `json:"policy,omitempty"`
	Want   map[string]string `json:"want"`
	// About is a part of the fault, for readers.
	About string `json:"about,omitempty"`
}

const aboutArchives = "Vectors of data/record/archive.md. want holds the statements that do not hold (fails) or were " +
	"not checked (open); all others hold. draw and derived are checked by the program only: another verifier " +
	"leaves them open. about is what the program says."

// statementOf maps parts of faults to the statement that does not hold.
var statementOf = []struct {
	statement string
	text      *regexp.Regexp
}{
	{"draw", regexp.MustCompile(`give other seats|draw cannot be repeated|places used for its draw|plan other later`)},
	{"standings", regexp.MustCompile(`^standings.json: the places`)},
	{"derived", regexp.MustCompile(`^seating.json: the seating|differs from this program's output`)},
}

// judging collects the verdicts on an archive that are not holds, and the first thing that the program says.
type judging struct {
	t     *testing.T
	is    map[string]string
	about string
}

func (j *judging) fail(statement string, err error) {
	if j.is[statement] = "fails"; j.about == "" && statement != "container" && statement != "rows" {
		j.about = err.Error()
	}
}

// statements returns this program's verdicts on an archive, and what it says.
func statements(t *testing.T, data []byte, policy *Policy) (is map[string]string, about string) {
	t.Helper()
	j := &judging{t: t, is: map[string]string{}}
	a, err := Read(data)
	if err != nil {
		j.fail("container", err)
		return j.is, ""
	}
	all, err := a.rows()
	if err == nil {
		err = j.games(a)
	}
	if err != nil {
		j.fail("rows", err)
		return j.is, ""
	}
	j.archive(a, all)
	if policy != nil {
		a.Notes = nil
		a.checkLog(all)
		if _, err := a.Trust(*policy); err != nil {
			j.fail("policy", err)
		}
	}
	return j.is, j.about
}

// games judges all games. It returns an error if one cannot be read.
func (j *judging) games(a *Archive) error {
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err != nil {
			return err
		}
		s, err := export.Verify(g)
		if err == nil && s.Phase != engine.PhaseOver {
			err = errors.New("the log ends before the game does")
		}
		if err != nil {
			j.fail("games", &Fault{name, err.Error()})
		}
	}
	return nil
}

// archive judges everything but the games.
func (j *judging) archive(a *Archive, all map[string]rows) {
	faults, err := a.checkChains(all)
	if err != nil {
		j.t.Fatal(err)
	}
	for _, fault := range faults {
		j.fail("chains", fault)
	}
	if a.files[logName] == nil {
		j.is["log"] = "open"
	}
	if slices.ContainsFunc(a.Notes, func(note string) bool { return strings.HasPrefix(note, "an older program") }) {
		j.is["chains"] = "open"
	}
	if log := a.checkLog(all); log != nil {
		for _, fault := range log.faults {
			j.fail("log", fault)
		}
	}
	derived, err := a.derivedFaults(j.t, all)
	if err != nil {
		j.fail("rows", err)
	}
	for _, fault := range derived {
		statement := "facts"
		for _, s := range statementOf {
			if s.text.MatchString(fault.Error()) {
				statement = s.statement
			}
		}
		j.fail(statement, fault)
	}
}

// derivedFaults returns the faults of the facts, and of the files that differ from what the rest gives.
func (a *Archive) derivedFaults(t *testing.T, all map[string]rows) (faults []error, err error) {
	t.Helper()
	var facts Verdict
	again, err := a.again(t.Context(), all, func(c *collecting, s *store.DB) { facts = a.facts(t.Context(), s, c) })
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(again.a.names(), a.names()...)))) {
		if name != manifestName && name != logName && !sameContent(again.a.files[name], a.files[name]) {
			faults = append(faults, &Fault{name, saysOtherwise(name)})
		}
	}
	for _, fault := range facts.Faults {
		faults = append(faults, fault)
	}
	return slices.Concat(faults, again.promises(), again.lots()), nil
}

// sameContent reports whether two files are equal, or are games that differ in their events only, which have statements
// of their own.
func sameContent(a, b []byte) bool {
	var x, y export.Game
	if bytes.Equal(a, b) || json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(x.Events) == 0 {
		return bytes.Equal(a, b)
	}
	x.Events, y.Events, x.Head, y.Head = nil, nil, "", ""
	return bytes.Equal(x.Lines(), y.Lines())
}

// TestArchiveVectors checks this program's verdicts on the archives of the specification, and that its command agrees.
func TestArchiveVectors(t *testing.T) {
	testmode.SkipUnderRace(t)
	if *update {
		makeArchiveVectors(t)
	}
	var v archiveVectors
	text, err := os.ReadFile(vectorsFolder + "archives.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, one := range v.Archives {
		data, err := os.ReadFile(filepath.Join(vectorsFolder, one.File))
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		is, about := statements(t, data, one.Policy)
		if have, want := compact(t, is), compact(t, one.Want); have != want {
			t.Errorf("%s: %s, want %s: %s", one.Name, have, want, about)
		}
		failed := strings.Contains(compact(t, is), "fails")
		if testmode.Long && one.Policy == nil && failed != (verifyAll(t, data) != nil) {
			t.Errorf("%s: the statements say %v, Verify another thing", one.Name, is)
		}
	}
	if size > 3<<19 {
		t.Errorf("the archives have %d bytes, at most 1.5 MiB", size)
	}
	t.Logf("%d vectors, %d bytes", len(v.Archives), size)
}

func compact(t *testing.T, is map[string]string) string {
	t.Helper()
	text, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func verifyAll(t *testing.T, data []byte) error {
	t.Helper()
	a, err := Read(data)
	if err == nil {
		_, err = a.Verify(t.Context())
	}
	return err
}

// TestNumberOfVectors counts the vectors of the specification: the objects in the lists of each file.
func TestNumberOfVectors(t *testing.T) {
	files, err := filepath.Glob(vectorsFolder + "*.json")
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		var lists map[string]any
		if err == nil {
			err = json.Unmarshal(text, &lists)
		}
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, list := range lists {
			list, _ := list.([]any)
			for _, one := range list {
				if _, is := one.(map[string]any); is {
					n++
				}
			}
		}
		t.Logf("%s: %d", filepath.Base(file), n)
		all += n
	}
	t.Logf("%d vectors", all)
	if all < 800 {
		t.Errorf("%d vectors, want 800", all)
	}
}
