// Package testmode states how the tests of this module were built: with the long tests (go test -tags long) and with
// the race detector (go test -race). Only tests use it.
package testmode

import (
	"os"
	"testing"
)

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

// SkipMissing skips a test for lack of a program or the like. In CI, where nothing may be missing, the test fails.
func SkipMissing(t testing.TB, missing any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
}
