//go:build unix

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
	"meldhall/cmd/internal/instance"
	"meldhall/cmd/internal/release"
	"meldhall/cmd/internal/release/releasetest"
	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/store"
)

// computer is a person's computer with the program of version 1.0.0. Its programs run as separate processes.
type computer struct {
	program string
	db      string // that of the desktop
	opened  string // a file with the addresses that the browser opened
}

// newComputer returns a computer whose browser only writes down the addresses.
func newComputer(t *testing.T) *computer {
	t.Helper()
	folder := t.TempDir()
	c := &computer{program: filepath.Join(folder, "meldhall"), opened: filepath.Join(folder, "opened"),
		db: filepath.Join(folder, "data", "meldhall", "meldhall.db")}
	exe, err := os.Executable()
	if err == nil && os.Link(exe, c.program) != nil {
		if err = store.CopyFile(exe, c.program); err == nil {
			err = os.Chmod(c.program, 0o700)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" >>"+c.opened+"\n"), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	t.Setenv("XDG_DATA_HOME", filepath.Join(folder, "data"))
	t.Setenv("DISPLAY", ":7")
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	t.Setenv("MELDHALL_TEST_VERSION", "1.0.0")
	t.Cleanup(func() { // a server that a failed test or an update left
		ctx := context.WithoutCancel(t.Context()) // which ends before the cleanup
		if i, err := instance.Read(c.db); err == nil && i.Answers(ctx) && i.Quit(ctx) == nil {
			await(t, func() bool { return store.Unserved(c.db) == nil })
		}
	})
	return c
}

// run runs the program to its end and returns what it wrote.
func (c *computer) run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.program, args...)
	cmd.Dir = filepath.Dir(c.program)
	out, err := cmd.CombinedOutput()
	t.Logf("meldhall %s\n%s", strings.Join(args, " "), out)
	return string(out), err
}

// start starts the program as a double click does, and waits until it is ready. ended is closed when it ends.
func (c *computer) start(t *testing.T, args ...string) (i instance.Instance, ended <-chan struct{}) {
	t.Helper()
	cmd := exec.Command(c.program, args...)
	cmd.Dir = filepath.Dir(c.program)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(over)
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-over })
	await(t, func() bool {
		i = c.now(t)
		return i.PID == cmd.Process.Pid && i.Answers(t.Context())
	})
	return i, over
}

// now returns the instance that runs on the desktop's data, or ran last.
func (c *computer) now(t *testing.T) instance.Instance {
	t.Helper()
	i, err := instance.Read(c.db)
	if err != nil {
		t.Error(err)
	}
	return i
}

// releaseOf writes a signed release whose program is a shell script, and returns its folder and verifier key.
func releaseOf(t *testing.T, version, script string) (folder, key string) {
	t.Helper()
	return releasetest.Folder(t, map[string][]byte{archiveOf(version): releasetest.Tarball(t, "meldhall", script)})
}

// archiveOf returns the name of a version's archive for this machine.
func archiveOf(version string) string {
	return "meldhall_" + version + "_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
}

// working returns a script that is the program in a given version.
func working(t *testing.T, version string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "#!/bin/sh\nMELDHALL_TEST_VERSION=" + version + " exec " + exe + " \"$@\"\n"
}

// outage measures for how long the server at an address is not ready. The returned function waits until it is again.
func outage(t *testing.T, address string) (over func() time.Duration) {
	t.Helper()
	measured := make(chan time.Duration, 1)
	stop := make(chan struct{})
	go func() {
		last, longest := time.Now(), time.Duration(0)
		for at := (instance.Instance{Address: address}); ; {
			ready := at.Ready(t.Context())
			now := time.Now()
			if longest = max(longest, now.Sub(last)); ready {
				last = now
			}
			select {
			case <-stop:
				measured <- longest
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() time.Duration { close(stop); return <-measured }
}

// desktopInPlay returns a computer whose desktop serves a table, and the game as it is about 8 s before the turn ends.
func desktopInPlay(t *testing.T) (c *computer, serves instance.Instance, h *tableOfFour, turn *engine.View) {
	t.Helper()
	testmode.SkipUnlessLong(t)
	testmode.SkipUnderRace(t)
	c = newComputer(t)
	serves, _ = c.start(t, "desktop", "--background")
	h = seatedTable(t, &client.Server{Base: serves.Address, Setup: serves.Token})
	return c, serves, h, h.leave(t, 8000)
}

// TestUpdateDuringPlay updates the program from a folder while a table plays. On an idle machine the server is away for
// at most 3 s, and the player whose turn it is has the time that was left.
func TestUpdateDuringPlay(t *testing.T) {
	c, before, h, turn := desktopInPlay(t)
	folder, key := releaseOf(t, "9.0.0", working(t, "9.0.0"))
	began := time.Now()
	if _, err := c.run(t, "version"); err != nil {
		t.Fatal(err)
	}
	most := max(3*time.Second, 12*time.Since(began)) // more while other tests keep the machine from starting programs
	over := outage(t, before.Address)
	if out, err := c.run(t, "update", folder, "--key", key); err != nil ||
		!strings.Contains(out, "Version 9.0.0 has replaced 1.0.0") {
		t.Fatal(err)
	}
	away := over()
	t.Logf("the server was away for %v", away.Round(time.Millisecond))
	if away > most {
		t.Errorf("the update stopped play for %v, more than %v", away, most)
	}
	h.testTimeBack(t, turn)
	if now := c.now(t); now.Version != "9.0.0" || now.Address != before.Address || !now.Answers(t.Context()) {
		t.Errorf("%+v runs, want version 9.0.0 at %s", now, before.Address)
	}
	copies, err := filepath.Glob(filepath.Join(filepath.Dir(c.db), store.Backups, "*-before-update-*.db"))
	if err != nil || len(copies) != 1 {
		t.Errorf("copies of the database: %q, %v", copies, err)
	}
	if _, err := os.Stat(c.program + "-before"); err != nil {
		t.Error(err)
	}
}

// TestUpdateThatDoesNotStart updates to a program that changes the database and ends. The old program serves again, and
// the game continues in the same epoch.
func TestUpdateThatDoesNotStart(t *testing.T) {
	c, before, h, turn := desktopInPlay(t)
	folder, key := releaseOf(t, "9.0.0", "#!/bin/sh\n[ \"$1\" = version ] && { echo meldhall 9.0.0; exit; }\n"+
		"echo changed >"+c.db+"\nexit 1\n")
	out, err := c.run(t, "update", folder, "--key", key)
	if err == nil || !strings.Contains(out, "Version 1.0.0 is in place again with its data") {
		t.Fatalf("%v, %s", err, out)
	}
	h.testTimeBack(t, turn)
	now := c.now(t)
	if now.Version != "1.0.0" || now.PID == before.PID || !now.Answers(t.Context()) {
		t.Errorf("%+v runs, want version 1.0.0", now)
	}
	if err := now.Quit(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, func() bool { return store.Unserved(c.db) == nil })
	if _, err := c.run(t, "verify", "--all", "--db", c.db); err != nil {
		t.Error(err)
	}
	if out, err := c.run(t, "version"); err != nil || !strings.HasPrefix(out, "meldhall 1.0.0\n") {
		t.Errorf("the program is %q, %v", out, err)
	}
}

// TestUpdateRefuses checks that nothing is replaced by a program that is not a newer, signed release for this machine.
func TestUpdateRefuses(t *testing.T) {
	testmode.SkipUnderRace(t)
	c := newComputer(t)
	good, key := releaseOf(t, "9.0.0", working(t, "9.0.0"))
	_, otherKey := releaseOf(t, "9.0.0", "")
	old, oldKey := releaseOf(t, "1.0.0", working(t, "1.0.0"))
	lying, lyingKey := releaseOf(t, "9.0.0", working(t, "2.0.0"))
	archive := archiveOf("9.0.0")
	changed := t.TempDir()
	if err := os.CopyFS(changed, os.DirFS(good)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(changed, archive))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(filepath.Join(changed, archive), data, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, u := range map[string]struct{ from, key, want string }{
		"one changed byte":      {changed, key, "its hash is not the one"},
		"another key":           {good, otherKey, "is not signed with the key"},
		"no key":                {good, "", "--key"},
		"the same version":      {old, oldKey, "is not newer"},
		"another version":       {lying, lyingKey, "it says that its version is"},
		"a missing file":        {filepath.Join(good, "missing.tar.gz"), key, "no such file"},
		"what is no archive":    {filepath.Join(good, release.Sums), key, "does not list"},
		"an address of nothing": {"http://127.0.0.1:1/", key, "refused"},
	} {
		out, err := c.run(t, "update", u.from, "--key", u.key)
		if err == nil || !strings.Contains(out, u.want) {
			t.Errorf("%s: %v, %s; want %q", name, err, out, u.want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(c.program), "meldhall*")); err != nil || len(left) != 1 {
		t.Errorf("the folder has %q, %v; want only the old program", left, err)
	}
}

// TestUpdateFromAnAddress updates over HTTP while no server runs: the new program is tried on the database. A server
// that a person started by hand is not touched.
func TestUpdateFromAnAddress(t *testing.T) {
	testmode.SkipUnderRace(t)
	c := newComputer(t)
	folder, key := releaseOf(t, "9.0.0", working(t, "9.0.0"))
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer site.Close()
	if err := os.MkdirAll(filepath.Dir(c.db), 0o700); err != nil {
		t.Fatal(err)
	}
	server := launch(t, c.db)
	defer func() { server.Kill() }()
	if out, err := c.run(t, "update", site.URL+"/", "--key", key); err == nil ||
		!strings.Contains(out, "started by hand") {
		t.Errorf("with a server in a terminal: %v, %s", err, out)
	}
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	out, err := c.run(t, "update", site.URL+"/", "--key", key)
	if err != nil || !strings.Contains(out, "none runs now") {
		t.Fatalf("%v, %s", err, out)
	}
	if err := store.Unserved(c.db); err != nil {
		t.Error(err)
	}
	if out, err := c.run(t, "version"); err != nil || !strings.HasPrefix(out, "meldhall 9.0.0\n") {
		t.Errorf("the program is %q, %v", out, err)
	}
}
