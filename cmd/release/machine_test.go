package main

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"meldhall/engine/testmode"
)

// machine is a fresh Debian in a folder. It has no running systemd: the tests do what systemctl would do.
type machine struct {
	t    *testing.T
	root string
}

// freshDebian returns a new machine with Debian's smallest set of packages. debootstrap makes it once and keeps it in
// the user's cache folder.
func freshDebian(t *testing.T) machine {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" || os.Geteuid() != 0 {
		testmode.SkipMissing(t, "the test needs root on Linux, on amd64")
	}
	for _, program := range []string{"debootstrap", "dpkg", "chroot"} {
		if _, err := exec.LookPath(program); err != nil {
			testmode.SkipMissing(t, err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(cache, "meldhall-debian-bookworm")
	if _, err := os.Stat(kept); err != nil {
		began, partial := time.Now(), kept+".partial"
		if err := os.RemoveAll(partial); err != nil {
			t.Fatal(err)
		}
		output(t, "debootstrap", "--variant=minbase", "bookworm", partial, mirror())
		if err := os.Rename(partial, kept); err != nil {
			t.Fatal(err)
		}
		t.Logf("debootstrap took %v", time.Since(began).Round(time.Second))
	}
	m := machine{t, filepath.Join(t.TempDir(), "debian")}
	output(t, "cp", "-a", kept, m.root)
	return m
}

var archive = regexp.MustCompile(`(?m)^(?:URIs:|deb(?: \[.*\])?) (https?://\S+/debian)/?(?:\s|$)`)

// mirror returns the archive that this machine uses.
func mirror() string {
	files, _ := filepath.Glob("/etc/apt/sources.list.d/*")
	for _, file := range append(files, "/etc/apt/sources.list") {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if m := archive.FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return "http://deb.debian.org/debian"
}

// run runs a program in the machine as root, and returns its output.
func (m machine) run(args ...string) string {
	m.t.Helper()
	return output(m.t, "chroot", append([]string{m.root}, args...)...)
}

// path returns the path of one of the machine's files.
func (m machine) path(name string) string { return filepath.Join(m.root, name) }

// service is the running service of a machine.
type service struct {
	command *exec.Cmd
	setup   string // the first organizer's token, if there is no account
}

// start starts the service: the unit's ExecStart, with its environment, as its user, in its folder. It returns when the
// program says that it is ready.
func (m machine) start() *service {
	m.t.Helper()
	unit := m.unit()
	args := []string{"--userspec=" + unit["User"] + ":" + unit["User"], m.root, "/usr/bin/env", "-i", "-C",
		unit["WorkingDirectory"], unit["Environment"]}
	settings, err := os.ReadFile(m.path(strings.TrimPrefix(unit["EnvironmentFile"], "-")))
	if err != nil {
		m.t.Fatal(err)
	}
	for line := range strings.Lines(string(settings)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			args = append(args, line)
		}
	}
	s := &service{command: exec.Command("chroot", append(args, strings.Fields(unit["ExecStart"])...)...)}
	s.command.Stderr = m.t.Output()
	out, err := s.command.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = s.command.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, token, found := strings.Cut(lines.Text(), "?token="); found {
			s.setup = token
		}
		if strings.HasPrefix(lines.Text(), "Ready.") {
			go io.Copy(io.Discard, out)
			return s
		}
	}
	m.t.Fatalf("the service ended: %v", s.command.Wait())
	return nil
}

// stop stops the service as systemd does.
func (s *service) stop(t *testing.T) {
	t.Helper()
	if err := cmp.Or(s.command.Process.Signal(syscall.SIGTERM), s.command.Wait()); err != nil {
		t.Fatal(err)
	}
}

// unit returns the settings of the installed unit; of repeated ones the first.
func (m machine) unit() map[string]string {
	m.t.Helper()
	text, err := os.ReadFile(m.path("usr/lib/systemd/system/meldhall.service"))
	if err != nil {
		m.t.Fatal(err)
	}
	settings := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		settings[name] = cmp.Or(settings[name], value)
	}
	return settings
}
