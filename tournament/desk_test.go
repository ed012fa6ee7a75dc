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
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
	"meldhall/tournament/storage/storagetest"
)

// desks are the desks of the tests' stores, each with its games.
var desks sync.Map

// deskOf is the desk over a store and the games that newGames has made; without them nothing happens at the tables.
func deskOf(s *storage.DB) *door.Desk {
	if d, ok := desks.Load(s); ok {
		return d.(*door.Desk)
	}
	d, _ := desks.LoadOrStore(s, idleDesk(s))
	return d.(*door.Desk)
}

// idleDesk is a desk over a store whose games are those of another, empty database, and are closed: as if the program had died before
// anything followed at the tables.
func idleDesk(s *storage.DB) *door.Desk {
	d := door.NewDesk(s, idleGames())
	d.Seeds = seedsFrom(1)
	return d
}

// seedsFrom are as many seeds as are asked for, always the same ones.
func seedsFrom(seed int64) func() int64 {
	var n atomic.Int64
	return func() int64 { return seed ^ n.Add(1)<<40 }
}

// idleFolder is where that database lies, for the time of all tests.
var idleFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "meldhall-idle-") })

var idleGames = sync.OnceValue(func() *game.Games {
	dir, err := idleFolder()
	if err != nil {
		panic(err)
	}
	s, err := storage.OpenScratch(filepath.Join(dir, "idle.db"))
	if err != nil {
		panic(err)
	}
	g := NewGames(s, game.OpenLog(s))
	g.Close()
	return g
})

// TestMain checks each property with 30 inputs, and with rapid's default number in long runs, unless the command line
// says otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // memory is there, and time is what tests are short of
	if !testmode.Long {
		if err := flag.Set("rapid.checks", "30"); err != nil {
			panic(err)
		}
	}
	flag.Parse()
	code := storagetest.OnBoth(m, "")
	if dir, err := idleFolder(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// newGames are the games over a store, at its desk. They end with the test.
func newGames(t testing.TB, s *storage.DB) *game.Games {
	t.Helper()
	l := game.OpenLog(s)
	g := NewGames(s, l)
	d, was := door.NewDesk(s, g), deskOf(s)
	d.Searches.Steps, d.Seeds = was.Searches.Steps, was.Seeds
	desks.Store(s, d)
	t.Cleanup(func() {
		desks.Delete(s)
		g.Close()
		l.Close()
	})
	return g
}

// byFile draws the next round by a seating file.
func byFile(t Tournament, file, note string) PairRound {
	return PairRound{Tournament: t.ID, File: &file, PairingOptions: PairingOptions{Note: cmp.Or(note, "again")}}
}

// errOf is what an action was refused by.
func errOf[O any](_ O, err error) error { return err }

// toldBefore and toldAfter are what a record tells, as keys and arguments.
func toldBefore(r door.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(door.Before(d))
	}
	return r.Before
}

func toldAfter(r door.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(d.After())
	}
	return r.After
}
