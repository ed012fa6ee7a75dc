package engine

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// A player's connection waits with the stack that its last command took: to decide a play, to apply it and to show it each fit into one of
// 4 KiB. It is no parallel test: it counts the stacks of the whole process.
func TestATurnNeedsLittleStack(t *testing.T) {
	s, play, _ := midGame(t)
	events, err := Decide(&s, play, false, noon.time())
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which gives stacks back
	most := max(4<<10, stackOf(func() {})) + 1<<10   // with what a goroutine begins with, which the runtime chooses
	for name, do := range map[string]func(){
		"decide": func() { _, _ = Decide(&s, play, false, noon.time()) },
		"apply":  func() { after := s; after.Follow(events[0]) },
		"view":   func() { _ = ViewFor(&s, Spectator) },
		"own":    func() { _ = OwnFor(&s, 1) },
	} {
		if each := stackOf(do); each > most {
			t.Errorf("to %s takes %d bytes of stack, want at most %d", name, each, most)
		}
	}
}

// stackOf is how many bytes of stack a goroutine has when it has done something.
func stackOf(do func()) int64 {
	const many = 256
	runtime.GC() // the stacks of those that have gone
	before := stacks()
	done, leave := make(chan bool), make(chan bool)
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			do()
			done <- true
			<-leave
		})
	}
	for range many {
		<-done
	}
	each := (stacks() - before) / many
	close(leave)
	all.Wait()
	return each
}

func stacks() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
