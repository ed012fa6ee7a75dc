package main

import (
	"os"
	"testing"

	"meldhall/cmd/internal/client"
)

// TestMain lets the test's own binary be the program, so that tests start the real thing in a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("MELDHALL_BE_PROGRAM") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// launch starts the program on a free port in a process of its own, over the database at db.
func launch(t testing.TB, db string, flags ...string) *client.Server {
	t.Helper()
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := client.StartServer(t.Context(), exe, db, false, os.Stderr, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
