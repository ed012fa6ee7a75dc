package archive

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/privacy"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// headOf returns the head of a tournament in the database.
func (h *hall) headOf(tournamentID int64) string {
	h.t.Helper()
	head, err := store.Look(h.t.Context(), h.DB, func(db *gorm.DB) (string, error) {
		records, games, err := store.HeadsOf(h.t.Context(), db.Statement.ConnPool, tournamentID)
		return store.EventHead(records, games), err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return head
}

// sealedAgain returns an archive with a changed file, and with the hashes of files and manifest recomputed.
func sealedAgain(t *testing.T, a *Archive, name string, change func([]byte) []byte, manifest func(*Manifest)) *Archive {
	t.Helper()
	all := with(a.entries(), name, change)
	m := a.Manifest
	m.Files = append([]File(nil), m.Files...)
	for i := range m.Files {
		m.Files[i].Size, m.Files[i].SHA256 = len(all[i+1].data), hashOf(all[i+1].data)
	}
	if manifest != nil {
		manifest(&m)
	}
	all[0].data = m.text()
	read, err := Read(zipped(t, all))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// withoutLine removes line n of a file, counted from the end if n is negative.
func withoutLine(n int) func([]byte) []byte {
	return func(data []byte) []byte {
		lines := bytes.SplitAfter(data, []byte("\n"))
		if n < 0 {
			n += len(lines)
		}
		return bytes.Join(append(lines[:n:n], lines[n+1:]...), nil)
	}
}

// TestForgedChains checks that an archive's chains and counts reveal a change even if the hashes of its files were
// recomputed.
func TestForgedChains(t *testing.T) {
	h := newHall(t)
	e := h.whole(7)
	a, _ := h.packed(e)
	if head := h.headOf(e.ID); head != a.Manifest.Head || a.Manifest.Tables["game_events"] == 0 ||
		a.Manifest.Tables["players"] != 7 {
		t.Errorf("the manifest has the head %s and counts %v, the database has the head %s", a.Manifest.Head,
			a.Manifest.Tables, head)
	}
	game := a.gameFiles()[0]
	fewer := func(table string, n int) func(*Manifest) {
		return func(m *Manifest) {
			m.Tables = maps.Clone(m.Tables)
			m.Tables[table] -= n
		}
	}
	for _, row := range []struct {
		name     string
		file     string
		change   func([]byte) []byte
		manifest func(*Manifest)
		named    string
	}{
		{"a record is taken out", actionsName, withoutLine(2), nil, "actions.jsonl: "},
		{"and counted", actionsName, withoutLine(2), fewer("audit", 1),
			"actions.jsonl: the records do not give the hash"},
		{"the last record is taken out and counted", actionsName, withoutLine(-2), fewer("audit", 1),
			"actions.jsonl: the records do not give the hash"},
		{"a record says something else", actionsName, func(data []byte) []byte {
			return bytes.Replace(data, []byte("organizer:Ann"), []byte("organizer:Bob"), 1)
		}, nil, "actions.jsonl: the records do not give the hash"},
		{"the last events of a log are taken out", game, withoutLine(-5), fewer("game_events", 1), game + ": "},
		{"a log has no head", game, func(data []byte) []byte {
			return data[:bytes.LastIndex(data, []byte(",\n\"head\""))]
		}, nil, ""},
		{"the manifest counts another player", actionsName, bytes.Clone, fewer("players", -1),
			"players.json: 7 rows of players are there, the manifest counts 8"},
		{"it counts no events", actionsName, bytes.Clone, func(m *Manifest) { m.Tables = nil },
			"rows of game_events are there, the manifest counts 0"},
		{"it has another head", actionsName, bytes.Clone, func(m *Manifest) { m.Head = hashOf(nil) },
			"manifest.json: its head"},
	} {
		_, err := sealedAgain(t, a, row.file, row.change, row.manifest).Verify(t.Context())
		if err == nil || !strings.Contains(fmt.Sprint(err), row.named) {
			t.Errorf("%s: %v, want %q", row.name, err, row.named)
		}
	}
	t.Run("a move with all hashes of its log", func(t *testing.T) {
		forged := sealedAgain(t, a, game, func(data []byte) []byte {
			return bytes.Replace(data, []byte(`"actor":"player:`), []byte(`"actor":"player:1`), 1)
		}, nil)
		g, err := forged.game(game)
		if err != nil {
			t.Fatal(err)
		}
		was := g.Head
		g.Head = g.ChainHead()
		forged = sealedAgain(t, forged, game, func(data []byte) []byte {
			return bytes.Replace(data, []byte(was), []byte(g.Head), 1)
		}, nil)
		if _, err := forged.Verify(t.Context()); err == nil ||
			!strings.Contains(fmt.Sprint(err), "manifest.json: its head") {
			t.Errorf("%v", err)
		}
	})
}

// TestErasedInChains checks that erasing a person changes no hash, and that all chains stay valid in the database and
// in the archive.
func TestErasedInChains(t *testing.T) {
	ctx := t.Context()
	h := newHall(t)
	e := h.event(8)
	tables := h.start(e)
	gametest.ReadyAll(t, h.Games, tables[0].Game)
	const reason = "Player 001 insulted the table"
	for seat := range 4 {
		if _, err := h.Games.Submit(ctx, rights.Staff(rights.RoleReferee, "Rita"), tables[0].Game, "",
			engine.Warn{Seat: seat, Grounds: engine.Grounds{Reason: reason, By: "Rita"}}); err != nil {
			t.Fatal(err)
		}
	}
	h.finish(tables[0].Game)
	h.play(tables[1].Game)
	hashes := func() (all []string) {
		err := h.DB.Read.Raw(`SELECT chain FROM game_events
			UNION ALL SELECT chain FROM audit WHERE action <> 'player.erase' ORDER BY 1`).Scan(&all).Error
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := hashes()
	var player int64
	if err := h.DB.Read.Raw("SELECT id FROM players WHERE name = 'Player 001'").Scan(&player).Error; err != nil {
		t.Fatal(err)
	}
	out, err := action.Do(ctx, h.Desk, organizer, privacy.Erase{Player: player})
	if err != nil || out.Texts == 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	if !slices.Equal(hashes(), before) {
		t.Error("an erasure changes hashes")
	}
	if err := h.DB.CheckWhole(ctx); err != nil {
		t.Error(err)
	}
	a, _ := h.packed(e)
	for name, file := range a.files {
		if bytes.Contains(file, []byte("Player 001")) {
			t.Errorf("%s names the person", name)
		}
	}
	if _, err := a.Verify(ctx); err != nil {
		t.Error(err)
	}
	for _, row := range []struct{ name, was, is, named string }{
		{"a text that was not erased", `"subject":"",`, `"subject":"more",`, "the records do not give the hash"},
		{"a text in place of an erased one", displayname.Numbered(1), displayname.Numbered(2),
			"the texts in place of erased ones"},
	} {
		// in the first record with an erased text
		forged := sealedAgain(t, a, actionsName, func(data []byte) []byte {
			line := regexp.MustCompile(`.*№.1.*"salt":"[^"]*=.*`).Find(data)
			return bytes.Replace(data, line, bytes.Replace(line, []byte(row.was), []byte(row.is), 1), 1)
		}, nil)
		if _, err := forged.Verify(ctx); err == nil || !strings.Contains(fmt.Sprint(err), row.named) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// TestImportedChains checks that an imported tournament has complete chains, and that its records continue from the
// same hash if it keeps its IDs.
func TestImportedChains(t *testing.T) {
	from := newHall(t)
	a, data := from.packed(from.whole(7))
	for _, others := range []int{0, 1} {
		to := newHall(t)
		to.DB.Now = func() time.Time { return time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC) }
		for range others {
			to.event(3)
		}
		in := do(to, Import(data)).Event
		if err := to.DB.CheckChains(t.Context()); err != nil {
			t.Error(err)
		}
		again, _ := to.packed(in)
		if _, err := again.Verify(t.Context()); err != nil {
			t.Error(err)
		}
		var same bool
		if err := to.DB.Read.Raw("SELECT EXISTS (SELECT 1 FROM audit WHERE chain = ?)",
			a.Manifest.Records).Scan(&same).Error; err != nil || same != (others == 0) {
			t.Errorf("with %d other events the records go on from the same hash: %t, %v", others, same, err)
		}
	}
}
