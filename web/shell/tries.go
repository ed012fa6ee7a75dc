package shell

import (
	"meldhall/tournament/storage"
	"meldhall/web/guard"
)

// triesBook is the database as a book of tries.
type triesBook struct{ tries *storage.Tries }

// See gives what is counted of keys.
func (b triesBook) See(counter string, keys []string) ([]guard.Tally, error) {
	all, err := b.tries.See(counter, keys)
	seen := make([]guard.Tally, len(all))
	for i, one := range all {
		seen[i] = guard.Tally(one)
	}
	return seen, err
}

// Fail counts a failure.
func (b triesBook) Fail(counter string, keys []string, by guard.Rule) error {
	return b.tries.Fail(counter, keys, storage.TryRule(by))
}

// Begin counts a failure unless a key has to wait.
func (b triesBook) Begin(counter string, keys []string, by guard.Rule) (bool, error) {
	return b.tries.Begin(counter, keys, storage.TryRule(by))
}

// Forget clears keys.
func (b triesBook) Forget(counter string, keys []string) error { return b.tries.Forget(counter, keys) }
