package archive

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/format"
)

// made collects the vectors while they are made.
type made struct {
	t *testing.T
	archiveVectors
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// add writes an archive and its vector. want lists the statements that must fail.
func (m *made) add(name string, data []byte, want ...string) {
	m.t.Helper()
	file := "archives/" + strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "-"), "-") + ".zip"
	if err := os.WriteFile(filepath.Join(vectorsFolder, file), data, 0o644); err != nil {
		m.t.Fatal(err)
	}
	m.vector(archiveVector{Name: name, File: file}, data, want...)
}

func (m *made) vector(v archiveVector, data []byte, want ...string) {
	m.t.Helper()
	v.Want, v.About = statements(m.t, data, v.Policy)
	var failed []string
	for statement, verdict := range v.Want {
		if verdict == "fails" && (statement != "draw" || slices.Contains(want, statement)) {
			failed = append(failed, statement) // whether a forgery changes a draw depends on the deals
		}
	}
	slices.Sort(want)
	if slices.Sort(failed); !slices.Equal(failed, want) {
		m.t.Errorf("%s: %v fail, want %v: %s", v.Name, failed, want, v.About)
	}
	m.Archives = append(m.Archives, v)
}

// edited adds a copy of an archive in which a text of a file is replaced. The manifest is sealed again; with chained,
// its counts and heads are made again as well.
func (m *made) edited(a *Archive, name, file, old, new string, chained bool, want ...string) {
	m.t.Helper()
	b := forged(m.t, a, file, old, new)
	if chained {
		all, err := b.rows()
		if err != nil {
			m.t.Fatal(err)
		}
		b.rechain(m.t)
		manifest := b.Manifest
		if _, _, err := b.count(&manifest, all); err != nil {
			m.t.Fatal(err)
		}
		b.setManifest(manifest)
	}
	m.add(name, pack(m.t, b), want...)
}

// resealed adds a copy of an archive with another manifest.
func (m *made) resealed(a *Archive, name string, change func(*Manifest), want ...string) {
	m.t.Helper()
	b := &Archive{files: maps.Clone(a.files), Manifest: a.Manifest}
	b.Manifest.Tables = maps.Clone(a.Manifest.Tables)
	change(&b.Manifest)
	b.setManifest(b.Manifest)
	m.add(name, pack(m.t, b), want...)
}

// rechain sets the heads of all games to those of their logs.
func (a *Archive) rechain(t *testing.T) {
	t.Helper()
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err != nil {
			t.Fatal(err)
		}
		g.Head = g.ChainHead()
		a.files[name] = g.Lines()
	}
}

// makeArchiveVectors makes all archives again.
func makeArchiveVectors(t *testing.T) {
	t.Helper()
	old, err := filepath.Glob(vectorsFolder + "archives/*.zip")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(vectorsFolder+"archives", 0o755); err != nil {
		t.Fatal(err)
	}
	m := &made{t: t}
	m.About = aboutArchives
	m.makeSmall()
	m.makeLogged()
	m.makeForged()
	m.makeLot()
	m.makeJoint()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(m.archiveVectors); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(vectorsFolder+"archives.json", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func oneRound(f *format.Format) { f.Stages = f.Stages[:1] }

// makeSmall makes archives of one table with real tiles, and damages the container.
func (m *made) makeSmall() {
	h := newHall(m.t)
	e := h.event(0)
	empty, data := h.packed(e)
	m.add("an event without players", data)
	h = newHall(m.t)
	e = h.event(4, oneRound, func(f *format.Format) { f.Stages[0].GamesPerRound = 2 })
	do(h, tournament.SetTiles{Tournament: e.ID, Tiles: tournament.RealTiles})
	for _, table := range h.start(e) {
		h.enter(table.Game, 0)
	}
	a, data := h.packed(e)
	m.add("a table with real tiles, one game played", data)
	all := a.entries()
	m.add("a byte of a file changed", zipped(m.t, with(all, resultsName,
		func(data []byte) []byte { data[40] ^= 1; return data })), "container")
	m.add("a byte of the manifest changed", zipped(m.t, with(all, manifestName,
		func(data []byte) []byte { return bytes.Replace(data, []byte("Genova"), []byte("Genoa!"), 1) })), "container")
	m.add("a file missing", zipped(m.t, slices.DeleteFunc(slices.Clone(all),
		func(e entry) bool { return e.name == rulingsName })), "container")
	m.add("a game missing", zipped(m.t, slices.DeleteFunc(slices.Clone(all),
		func(e entry) bool { return strings.HasPrefix(e.name, "games/") })), "container")
	m.add("a file too many", zipped(m.t, append(slices.Clone(all), entry{"notes.txt", []byte("hello\n")})), "container")
	m.add("a file twice", zipped(m.t, append(slices.Clone(all), all[1])), "container")
	m.add("no ZIP file", []byte("PK\x03\x04 hello"), "container")
	m.add("a later version", zipped(m.t, with(empty.entries(), manifestName,
		func(data []byte) []byte {
			return bytes.Replace(data, []byte(`"version": 2`), []byte(`"version": 3`), 1)
		})),
		"container")
	m.edited(a, "an unknown member of a row", playersName, `"apart":`, `"shoes":1,"apart":`, false, "rows")
	m.edited(a, "a row without a member", playersName, `"club":"Club 0",`, ``, false, "rows")
	m.edited(a, "a text for a number", resultsName, `"wins":12`, `"wins":"12x"`, false, "rows")
	m.edited(a, "a boolean that is 2", resultsName, `"opened":1`, `"opened":2`, false, "rows")
	m.edited(a, "a round of another event", roundsName, `"id":1,"tournament_id":1,"number":1,"stage"`,
		`"id":1,"tournament_id":2,"number":1,"stage"`, false, "rows")
	m.edited(a, "a table of no round", roundsName, `"round_id":1,"number":1`, `"round_id":9,"number":1`, false, "rows")
	m.edited(a, "a state that does not exist", playersName, `"state":"registered"`, `"state":"elsewhere"`, false, "rows")
	m.edited(a, "wins of a result in the rows only", resultsName, `"wins":12`, `"wins":6`, false, "facts")
	m.edited(a, "a place", standingsName, `"place": 2`, `"place": 3`, false, "standings")
	m.edited(a, "the rules of the event", rulesName, `"joker_points":100`, `"joker_points":50`, false, "facts")
	m.edited(a, "the players of a game", a.gameFiles()[0], `"players":[`, `"players":[0,`, false, "facts", "games")
	version1, err := os.ReadFile("../../cmd/meldhall/testdata/archive_1.zip")
	if err != nil {
		m.t.Fatal(err)
	}
	m.add("an archive of version 1", version1)
}

// makeLogged makes an archive with a transparency log and a witness, changes the log, and applies policies.
func (m *made) makeLogged() {
	h := hallAt(m.t, actiontest.ServedDesk(m.t))
	_, a := cosigned(m.t, h, 4, oneRound)
	data := pack(m.t, a)
	m.add("a log and a witness", data)
	whole := m.Archives[len(m.Archives)-1]
	at := func(leaves []string, prefix string) int {
		return slices.IndexFunc(leaves, func(l string) bool { return strings.HasPrefix(l, prefix) })
	}
	for _, c := range []struct {
		name   string
		change func(*logFile)
	}{
		{"a leaf is missing", func(f *logFile) {
			i := at(f.Leaves, "record 3 ")
			f.Leaves = slices.Delete(f.Leaves,
				i, i+1)
		}},
		{"a leaf is changed", func(f *logFile) {
			i := at(f.Leaves, "deal ")
			f.Leaves[i] = f.Leaves[i][:len(f.Leaves[i])-4] + "0000"
		}},
		{"two leaves change places", func(f *logFile) { f.Leaves[0], f.Leaves[1] = f.Leaves[1], f.Leaves[0] }},
		{"a leaf of another form", func(f *logFile) { f.Leaves[0] += " " }},
		{"no checkpoint", func(f *logFile) { f.Checkpoints = nil }},
		{"another name of a witness", func(f *logFile) {
			f.Checkpoints[0].Note = strings.Replace(f.Checkpoints[0].Note, "\n— w ", "\n— v ", 1)
		}},
	} {
		m.add("log: "+c.name, pack(m.t, a.changed(m.t, c.change)), "log")
	}
	m.policies(whole, data, a)
	m.edited(a, "a record changed under its leaf", actionsName, `"actor":"organizer:Ann","action":"round.publish"`,
		`"actor":"organizer:Bob","action":"round.publish"`, true, "log")
	bare := &Archive{files: maps.Clone(a.files)}
	delete(bare.files, logName)
	bare.setManifest(a.Manifest)
	m.add("the log left out", pack(m.t, bare))
}

// policies adds the verdicts of policies on an archive.
func (m *made) policies(whole archiveVector, data []byte, a *Archive) {
	var file logFile
	if err := json.Unmarshal(a.files[logName], &file); err != nil {
		m.t.Fatal(err)
	}
	own, w := []string{file.Key}, file.Checkpoints[0].Witnesses
	other := "v+" + strings.Split(w[0], "+")[1] + "+" + strings.Split(w[0], "+")[2]
	foreign := []string{"meldhall/OTHEROTHEROT" + strings.TrimPrefix(file.Key, file.Key[:len("meldhall/OTHEROTHEROT")])}
	for _, c := range []struct {
		name   string
		policy Policy
		want   []string
	}{
		{"the server", Policy{Logs: own}, nil},
		{"the server and the witness", Policy{Logs: own, Witnesses: w, Need: 1}, nil},
		{"nothing", Policy{}, nil},
		{"another server", Policy{Logs: foreign}, []string{"policy"}},
		{"a witness twice", Policy{Logs: own, Witnesses: append(slices.Clone(w), w...), Need: 2}, []string{"policy"}},
		{"more witnesses than there are", Policy{Logs: own, Witnesses: w, Need: 2}, []string{"policy"}},
		{"a key that is none", Policy{Logs: own, Witnesses: []string{other}, Need: 1}, []string{"policy"}},
	} {
		m.vector(archiveVector{Name: "policy: " + c.name, File: whole.File, Policy: &c.policy}, data, c.want...)
	}
}
