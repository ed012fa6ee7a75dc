package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"

	"meldhall/data"
)

// Systemd installs the service on a machine with systemd. Root is the folder of the machine's files, "/" outside tests.
// Run runs a program of the machine.
type Systemd struct {
	Root string
	Run  func(program string, args ...string) error
}

const (
	unitFile = "etc/systemd/system/" + name + ".service"
	envFile  = "etc/" + name + ".env"
)

var (
	execStart   = regexp.MustCompile(`(?m)^ExecStart=(\S+)`)
	databaseSet = regexp.MustCompile(`(?m)^(?:Environment=)?MELDHALL_DB=(.*)$`)
)

// Program returns the path of the program that the unit starts.
func (s Systemd) Program() string { return s.at(execStart.FindStringSubmatch(data.Unit)[1]) }

func (s Systemd) at(path string) string { return filepath.Join(s.Root, path) }

// Install copies the program to where the unit expects it, creates the service's user, writes the unit and starts it.
func (s Systemd) Install(out io.Writer) error {
	if _, err := os.Stat(s.at("run/systemd/system")); err != nil {
		return errors.New("this machine does not run systemd: start \"meldhall serve\" with its own service manager")
	}
	for _, folder := range []string{"usr/lib/systemd/system", "lib/systemd/system"} {
		if packaged := s.at(folder + "/" + name + ".service"); exists(packaged) {
			return fmt.Errorf("a package has installed the service as %s: run systemctl enable --now %s",
				packaged, name)
		}
	}
	if err := copyProgram(s.Program()); err != nil {
		return fmt.Errorf("install the program: %w", err)
	}
	if _, err := user.Lookup(name); err != nil {
		if err := s.Run("useradd", "-r", "-d", "/var/lib/"+name, "-s", "/usr/sbin/nologin", name); err != nil {
			return fmt.Errorf("create the user %s: %w", name, err)
		}
	}
	if err := os.WriteFile(s.at(unitFile), []byte(data.Unit), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(out, "Program: %s\nUnit: %s\nSettings, one variable a line: %s\n", s.Program(), s.at(unitFile),
		s.at(envFile))
	return errors.Join(s.Run("systemctl", "daemon-reload"), s.Run("systemctl", "enable", "--now", name))
}

// Remove stops the service and removes the unit that Install wrote.
func (s Systemd) Remove() error {
	if !exists(s.at(unitFile)) {
		return fmt.Errorf("there is no %s: the service was not installed by this command", s.at(unitFile))
	}
	if err := s.Run("systemctl", "disable", "--now", name); err != nil {
		return err
	}
	return errors.Join(os.Remove(s.at(unitFile)), s.Run("systemctl", "daemon-reload"))
}

// Database returns the database of the service: the one in the settings, or else the unit's.
func (s Systemd) Database() string {
	settings, _ := os.ReadFile(s.at(envFile)) // optional
	if set := databaseSet.FindSubmatch(settings); set != nil {
		return string(bytes.Trim(set[1], `"' `))
	}
	return databaseSet.FindStringSubmatch(data.Unit)[1]
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// runProgram runs a program. Its error has what the program wrote.
func runProgram(program string, args ...string) error {
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(append([]string{program}, args...), " "), err,
			bytes.TrimSpace(out))
	}
	return nil
}
