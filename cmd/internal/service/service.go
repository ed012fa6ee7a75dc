// Package service makes the program a service of the operating system, which starts with the machine: a unit of
// systemd, a Windows service, or a daemon of launchd.
package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// name is the name of the service, and of its user on Linux.
const name = "meldhall"

// errNotAdmin rejects a command that changes the system's services.
var errNotAdmin = errors.New("only an administrator can change the services of this machine: run the command as root " +
	"(sudo), or on Windows in a terminal that was started as administrator")

// Install makes the program the service and starts it. It copies the program to where only administrators can change
// it, and writes to out where that is.
func Install(out io.Writer) error {
	if !isAdmin() {
		return errNotAdmin
	}
	if err := install(out); err != nil {
		return err
	}
	fmt.Fprintf(out, "The service %s runs and starts with this machine. Its database is %s.\n", name, Database())
	return nil
}

// Remove stops the service and removes it. The program and the data stay.
func Remove(out io.Writer) error {
	if !isAdmin() {
		return errNotAdmin
	}
	if err := remove(); err != nil {
		return err
	}
	fmt.Fprintf(out, "The service %s was removed. Its database stays: %s.\n", name, Database())
	return nil
}

// Start starts the installed service, with its program as it is now.
func Start() error { return start() }

// Stop stops the service in good order.
func Stop() error { return stop() }

// copyProgram copies this program to a path, which gets the whole file or keeps the earlier one.
func copyProgram(to string) error {
	from, err := os.Executable()
	if err != nil {
		return err
	}
	a, err := os.Stat(from)
	if err != nil {
		return err
	}
	if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	part := to + ".part"
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Sync(), out.Close()); err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}
