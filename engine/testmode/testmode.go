// Package testmode states how the tests of this module were built: with the long tests (go test -tags long) and with
// the race detector (go test -race). Only tests use it.
package testmode

import "testing"

// SkipUnlessLong skips a long test in an ordinary run.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if !Long {
		t.Skip("long: go test -tags long")
	}
}

// SkipUnderRace skips a test that the race detector cannot help, because it runs no goroutines of this module
// concurrently, or that is too slow under it.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("not under the race detector")
	}
}
