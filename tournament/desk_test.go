package tournament

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"meldhall/engine/testmode"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// desks maps each test's database to its desk.
var desks sync.Map

// deskOf returns the desk of a database, with the games created by newGames. Without newGames, actions have no effect
// at the tables.
func deskOf(s *store.DB) *action.Desk {
	if d, ok := desks.Load(s); ok {
		return d.(*action.Desk)
	}
	d, _ := desks.LoadOrStore(s, idleDesk(s))
	return d.(*action.Desk)
}

// idleDesk returns a desk whose games belong to another, empty database and are closed, as if the program had died
// before an action took effect at the tables.
func idleDesk(s *store.DB) *action.Desk {
	d := action.NewDesk(s, idleGames())
	d.Seeds = seedsFrom(1)
	return d
}

// seedsFrom returns a generator of reproducible seeds.
func seedsFrom(seed int64) func() int64 {
	var n atomic.Int64
	return func() int64 { return seed ^ n.Add(1)<<40 }
}

// idleFolder creates the folder of idleGames' database, which all tests share.
var idleFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "meldhall-idle-") })

var idleGames = sync.OnceValue(func() *game.Games {
	dir, err := idleFolder()
	if err != nil {
		panic(err)
	}
	s, err := store.OpenScratch(filepath.Join(dir, "idle.db"))
	if err != nil {
		panic(err)
	}
	g := NewGames(s, game.OpenLog(s))
	g.Close()
	return g
})

// TestMain checks each property with 30 inputs, or with rapid's default number in long runs, unless the command line
// sets it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // trade memory for shorter tests
	if !testmode.Long {
		if err := flag.Set("rapid.checks", "30"); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	code := storetest.OnBoth(m, "")
	if dir, err := idleFolder(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// newGames returns a database's games, attached to its desk. They are closed when the test ends.
func newGames(t testing.TB, s *store.DB) *game.Games {
	t.Helper()
	l := game.OpenLog(s)
	g := NewGames(s, l)
	d, was := action.NewDesk(s, g), deskOf(s)
	d.Searches.Steps, d.Seeds = was.Searches.Steps, was.Seeds
	desks.Store(s, d)
	t.Cleanup(func() {
		desks.Delete(s)
		g.Close()
		l.Close()
	})
	return g
}

// byFile returns the action that seats the next round by a seating file.
func byFile(t Tournament, file, note string) PairRound {
	return PairRound{Tournament: t.ID, File: &file, PairingOptions: PairingOptions{Note: cmp.Or(note, "again")}}
}

// errOf returns only the error of an action's result.
func errOf[O any](_ O, err error) error { return err }

// toldBefore and toldAfter return the text of a record as keys and arguments.
func toldBefore(r action.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(action.Before(d))
	}
	return r.Before
}

func toldAfter(r action.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(d.After())
	}
	return r.After
}
