package eventtest

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

	_ "pgregory.net/rapid" // for its flag

	"meldhall/engine/testmode"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// desks maps each test's database to its desk.
var desks sync.Map

// DeskOf returns the desk of a database, with the games created by NewGames. Without NewGames, actions have no effect
// at the tables.
func DeskOf(s *store.DB) *action.Desk {
	if d, ok := desks.Load(s); ok {
		return d.(*action.Desk)
	}
	d, _ := desks.LoadOrStore(s, IdleDesk(s))
	return d.(*action.Desk)
}

// IdleDesk returns a desk whose games belong to another, empty database and are closed, as if the program had died
// before an action took effect at the tables.
func IdleDesk(s *store.DB) *action.Desk {
	d := action.NewDesk(s, idleGames())
	d.Seeds = SeedsFrom(1)
	return d
}

// SeedsFrom returns a generator of reproducible seeds.
func SeedsFrom(seed int64) func() int64 {
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
	g := result.NewGames(s, game.OpenLog(s))
	g.Close()
	return g
})

// Main runs a package's tests on the databases of storetest.OnBoth and exits. Each property is checked with 30 inputs,
// or with rapid's default number in long runs, unless the command line sets it.
func Main(m *testing.M) {
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

// NewGames returns a database's games, attached to its desk. They are closed when the test ends.
func NewGames(t testing.TB, s *store.DB) *game.Games {
	t.Helper()
	l := game.OpenLog(s)
	g := result.NewGames(s, l)
	d, was := action.NewDesk(s, g), DeskOf(s)
	d.Searches.Steps, d.Seeds = was.Searches.Steps, was.Seeds
	desks.Store(s, d)
	t.Cleanup(func() {
		desks.Delete(s)
		g.Close()
		l.Close()
	})
	return g
}

// ByFile returns the action that seats the next round by a seating file.
func ByFile(t tournament.Tournament, file, note string) draw.PairRound {
	return draw.PairRound{Tournament: t.ID, File: &file, PairingOptions: draw.PairingOptions{Note: cmp.Or(note,
		"again")}}
}

// ErrOf returns only the error of an action's result.
func ErrOf[O any](_ O, err error) error { return err }

// ToldBefore returns the text of a record before its change, as keys and arguments.
func ToldBefore(r action.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(action.Before(d))
	}
	return r.Before
}

// ToldAfter returns the text of a record after its change, as keys and arguments.
func ToldAfter(r action.Record) string {
	if d := r.Details(); d != nil {
		return fmt.Sprint(d.After())
	}
	return r.After
}
