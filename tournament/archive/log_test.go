package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/format"
	"meldhall/tournament/transparency"
	"meldhall/tournament/transparency/sequencer"
)

// logged is an archive with a log that a witness has cosigned.
func logged(t testing.TB) (*hall, tournament.Tournament, *Archive) {
	t.Helper()
	h := hallAt(t, actiontest.ServedDesk(t))
	e, a := cosigned(t, h, 7)
	return h, e, a
}

// cosigned plays a tournament whose log a witness cosigns.
func cosigned(t testing.TB, h *hall, players int, change ...func(*format.Format)) (tournament.Tournament, *Archive) {
	t.Helper()
	later := h.later
	h.later = func() {
		for range 10 {
			later()
		}
	}
	e := h.whole(players, change...)
	s := sequencer.New(h.DB)
	if _, err := s.Step(t.Context(), e.ID); err != nil {
		t.Fatal(err)
	}
	signed, err := s.Checkpoint(t.Context(), e.ID)
	if err != nil {
		t.Fatal(err)
	}
	vkey, err := s.Key(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key, err := note.NewVerifier(vkey)
	if err != nil {
		t.Fatal(err)
	}
	c, err := transparency.OpenCheckpoint(signed.Note, key)
	if err != nil {
		t.Fatal(err)
	}
	w, err := transparency.NewWitnessKey("w", []byte(strings.Repeat("w", 32)))
	if err == nil {
		err = s.Cosign(t.Context(), e.ID, fmt.Sprintf("%s\n%d\n%s", w.Witness, c.N, w.Cosign(c, 1777)))
	}
	if err != nil {
		t.Fatal(err)
	}
	a, _ := h.packed(e)
	return e, a
}

// TestArchiveHasTheLog checks that an archive has a leaf for each fact, that two archives are equal, and that importing
// one starts another log.
func TestArchiveHasTheLog(t *testing.T) {
	h, e, a := logged(t)
	var file logFile
	if err := json.Unmarshal(a.files[logName], &file); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, l := range file.Leaves {
		kind, _, _ := strings.Cut(l, " ")
		kinds[kind]++
	}
	if kinds["record"] != len(recordsIn(t, a)) || kinds["game"] != len(a.gameFiles()) ||
		kinds["deal"] < kinds["game"]/2 || kinds["shuffle"] != kinds["deal"] || kinds["standings"] != 1 {
		t.Errorf("%v leaves of %d records and %d games", kinds, len(recordsIn(t, a)), len(a.gameFiles()))
	}
	if _, err := a.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	again, _ := h.packed(e)
	if again.Manifest.SHA256 != a.Manifest.SHA256 {
		t.Error("two archives differ")
	}
	all := 0
	for _, f := range a.Manifest.Files {
		all += f.Size
	}
	t.Logf("the log has %d of %d bytes", len(a.files[logName]), all)
}

// recordsIn returns an archive's records.
func recordsIn(t testing.TB, a *Archive) rows {
	t.Helper()
	all, err := a.rows()
	if err != nil {
		t.Fatal(err)
	}
	return all["audit"]
}

// changed returns a copy of the archive with another log.
func (a *Archive) changed(t testing.TB, change func(*logFile)) *Archive {
	t.Helper()
	var file logFile
	if err := json.Unmarshal(a.files[logName], &file); err != nil {
		t.Fatal(err)
	}
	change(&file)
	text, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	b := &Archive{files: map[string][]byte{}, Manifest: a.Manifest}
	for name, data := range a.files {
		b.files[name] = data
	}
	b.files[logName] = text
	b.setManifest(b.Manifest)
	return b
}

// TestTamperedLog checks that every change of the log is found and that the fault names its fact.
func TestTamperedLog(t *testing.T) {
	_, _, a := logged(t)
	at := func(leaves []string, prefix string) int {
		return slices.IndexFunc(leaves, func(l string) bool { return strings.HasPrefix(l, prefix) })
	}
	drop := func(prefix string) func(*logFile) {
		return func(f *logFile) { i := at(f.Leaves, prefix); f.Leaves = slices.Delete(f.Leaves, i, i+1) }
	}
	for what, c := range map[string]struct {
		change func(*logFile)
		want   []string
	}{
		"a record is dropped": {drop("record 1 "), []string{"not those of the signed checkpoint",
			"actions.jsonl: record 1 (tournament.create) is not in the log"}},
		"a game is dropped": {drop("game 1 "), []string{"games/0001.json: game 1: the log of"}},
		"a deal is dropped": {drop("deal 1 "),
			[]string{"games/0001.json: game 1: the deal of event 2 is not in the log"}},
		"a commitment is dropped": {drop("shuffle 1 "),
			[]string{"games/0001.json: game 1: the deal of event 2 is in the log without a commitment before it"}},
		"a commitment is changed": {func(f *logFile) {
			f.Leaves[at(f.Leaves, "shuffle 1 ")] = "shuffle 1 1 " + strings.Repeat("0", 64)
		}, []string{"games/0001.json: game 1: the deal of event 2 does not follow from the commitment in the log"}},
		"a commitment after its deal": {func(f *logFile) {
			i := at(f.Leaves, "shuffle 1 ")
			l := f.Leaves[i]
			f.Leaves = append(slices.Delete(f.Leaves, i, i+1), l)
		}, []string{"log.json: game 1: the commitment 1 to its shuffle is out of order"}},
		"the published standings are changed": {func(f *logFile) {
			f.Leaves[len(f.Leaves)-1] = f.Leaves[len(f.Leaves)-1][:len("standings 1 3 ")] + strings.Repeat("0", 64)
		}, []string{"standings.json: the standings after round"}},
		"a leaf is changed": {func(f *logFile) {
			f.Leaves[at(f.Leaves, "game 1 ")] = "game 1 5 " + strings.Repeat("0", 64)
		}, []string{"game 1: the log of 5 events is in the log, but not in the archive"}},
		"two leaves change places": {func(f *logFile) { f.Leaves[0], f.Leaves[1] = f.Leaves[1], f.Leaves[0] },
			[]string{"not those of the signed checkpoint"}},
		"a fact is logged late": {func(f *logFile) {
			f.Leaves = append(f.Leaves[1:], f.Leaves[0])
		}, []string{"actions.jsonl: record 1 (tournament.create) was logged", "minutes after its time"}},
		"a fact is logged twice": {func(f *logFile) { f.Leaves = append(f.Leaves, f.Leaves[0]) },
			[]string{"is in the log twice"}},
		"no checkpoint": {func(f *logFile) { f.Checkpoints = nil }, []string{"no key or no checkpoint"}},
		"another signature": {func(f *logFile) {
			f.Checkpoints[0].Note = strings.Replace(f.Checkpoints[0].Note, "\n— meldhall/", "\n— meldhall/X", 1)
		}, []string{"the server's signature"}},
		"another witness": {func(f *logFile) {
			f.Checkpoints[0].Note = strings.Replace(f.Checkpoints[0].Note, "\n— w A", "\n— w B", 1)
			f.Checkpoints[0].Note = strings.Replace(f.Checkpoints[0].Note, "\n— w ", "\n— v ", 1)
		}, []string{"witness 1: "}},
	} {
		_, err := a.changed(t, c.change).Verify(t.Context())
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		}
	}
}

// TestTrust checks what each policy says about an archive.
func TestTrust(t *testing.T) {
	_, _, a := logged(t)
	if _, err := a.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	var file logFile
	if err := json.Unmarshal(a.files[logName], &file); err != nil {
		t.Fatal(err)
	}
	own, witness := []string{file.Key}, file.Checkpoints[0].Witnesses
	other, err := transparency.NewWitnessKey("w", []byte(strings.Repeat("x", 32)))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		policy Policy
		fault  string
	}{
		{Policy{}, ""}, {Policy{Logs: own}, ""}, {Policy{Logs: own, Witnesses: witness, Need: 1}, ""},
		{Policy{Logs: own, Witnesses: append(witness, other.String()), Need: 1}, ""},
		{Policy{Logs: own, Witnesses: append(witness, other.String()), Need: 2}, "1 trusted witnesses"},
		{Policy{Logs: own, Witnesses: append(witness, witness...), Need: 2}, "1 trusted witnesses"},
		{Policy{Logs: own, Witnesses: []string{other.String()}, Need: 1}, "0 trusted witnesses"},
		{Policy{Logs: []string{file.Key + "x"}}, "does not trust the server's key"},
		{Policy{Witnesses: witness, Need: 2}, "more witnesses than it names"},
	} {
		basis, err := a.Trust(c.policy)
		if c.fault == "" && (err != nil || len(basis) != 6) || c.fault != "" && (err == nil ||
			!strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%d: %v, want %s", i, err, c.fault)
		}
	}
	bare := &Archive{files: map[string][]byte{}}
	if _, err := bare.Trust(Policy{Logs: own}); err == nil {
		t.Error("an archive without a log satisfies a policy")
	}
}

// TestContinuesWhatAWitnessSaw checks that an archive is compared with the checkpoints in a witness's state.
func TestContinuesWhatAWitnessSaw(t *testing.T) {
	h, e, a := logged(t)
	var file logFile
	if err := json.Unmarshal(a.files[logName], &file); err != nil {
		t.Fatal(err)
	}
	origin, _, _ := strings.Cut(file.Checkpoints[0].Note, "\n")
	seen := map[string]Kept{origin: {file.Checkpoints[0].Note, file.Leaves}}
	if err := a.Continues(seen); err != nil {
		t.Error(err)
	}
	older := a.changed(t, func(f *logFile) { f.Leaves = f.Leaves[:len(f.Leaves)-1] })
	other := a.changed(t, func(f *logFile) { f.Leaves[0] = "record 1 " + strings.Repeat("0", 64) })
	for _, c := range []struct {
		a    *Archive
		seen map[string]Kept
		want string
	}{{older, seen, "the archive is older"}, {other, seen, "two histories"}, {a, nil, "has not seen the log"}} {
		if err := c.a.Continues(c.seen); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if verdict, err := Check(t.Context(), h.DB, e.ID); err != nil || len(verdict.Faults) > 0 {
		t.Errorf("the log in the database: %v, %v", verdict.Faults, err)
	}
	drop := "DROP TRIGGER log_leaves_no_update"
	if h.DB.Served() {
		drop += " ON log_leaves"
	}
	for _, statement := range []string{drop, "UPDATE log_leaves SET hash = '" +
		strings.Repeat("0", 64) + "' WHERE kind = 'game' AND about = 1"} {
		if _, err := h.DB.WriteSQL.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	verdict, err := Check(t.Context(), h.DB, e.ID)
	if err != nil || !slices.ContainsFunc(verdict.Faults, func(f *Fault) bool {
		return strings.Contains(f.What, "game 1: the log of") && strings.Contains(f.What, "is not the one in the log")
	}) {
		t.Errorf("a changed leaf in the database: %v, %v", verdict.Faults, err)
	}
}
