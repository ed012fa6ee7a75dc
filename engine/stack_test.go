package engine

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

// TestATurnNeedsLittleStack checks that deciding, applying and showing a play each fit into a stack of 4 KiB, because a
// player's connection keeps the stack of its last command while it waits. The test is not parallel, because it measures
// the stacks of the whole process.
func TestATurnNeedsLittleStack(t *testing.T) {
	s, play, _ := midGame(t)
	events, err := Decide(&s, play, false, noon.time())
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would free stacks
	most := max(4<<10, stackOf(func() {})) + 1<<10   // includes the initial stack, whose size the runtime chooses
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

// stackOf returns the number of bytes of stack that a goroutine holds after do.
func stackOf(do func()) int64 {
	const many = 256
	runtime.GC() // frees the stacks of finished goroutines
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
