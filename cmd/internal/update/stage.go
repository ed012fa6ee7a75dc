// Package update replaces the program by a newer release while a tournament may be in progress. If the new program does
// not serve, the old one serves again with its data.
package update

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/semver"

	"meldhall/cmd/internal/release"
)

// Staged is a checked program beside the one that it will replace.
type Staged struct {
	Version string // without a leading v
	path    string
}

// Remove removes the program unless it has replaced the old one.
func (s Staged) Remove() { _ = os.Remove(s.path) }

// Stage reads a release for this machine and checks everything that can be checked without stopping a server: the
// signature of the hashes against key, the archive's hash, that its version is newer than the version of the program,
// and that the new program runs. The new program is then a file in the folder of the old one.
func Stage(ctx context.Context, from release.Source, key, program, version string) (s Staged, err error) {
	if err := ofPackage(program); err != nil {
		return s, err
	}
	sums, err := from.Sums(ctx)
	if err != nil {
		return s, err
	}
	archives, err := release.Verify(sums, key)
	if err != nil {
		return s, err
	}
	archive, err := choose(archives, from.Name)
	if err != nil {
		return s, err
	}
	if semver.Compare("v"+archive.Version, "v"+strings.TrimPrefix(version, "v")) <= 0 {
		return s, fmt.Errorf("version %s is not newer than this program's version %s", archive.Version, version)
	}
	packed, err := from.Read(ctx, archive)
	if err != nil {
		return s, err
	}
	extension := filepath.Ext(program)
	if runtime.GOOS != "windows" {
		extension = ""
	}
	s = Staged{archive.Version, filepath.Join(filepath.Dir(program), "meldhall-new"+extension)}
	s.Remove() // of an update that was cut off
	if err := archive.Extract(packed, s.path); errors.Is(err, os.ErrPermission) {
		return s, fmt.Errorf("only an administrator can replace %s: run the command as root (sudo), or on Windows in "+
			"a terminal that was started as administrator", program)
	} else if err != nil {
		return s, err
	}
	if err := s.runs(ctx); err != nil {
		s.Remove()
		return s, fmt.Errorf("the program in %s: %w", archive.Name, err)
	}
	return s, nil
}

// choose returns the archive with the given name, or the one for this machine if name is empty.
func choose(archives []release.Archive, name string) (chosen release.Archive, err error) {
	for _, a := range archives {
		here := a.System == runtime.GOOS && a.Arch == runtime.GOARCH
		switch {
		case a.Name == name && !here:
			return chosen, fmt.Errorf("%s is for %s on %s, and this machine is %s on %s", name, a.System, a.Arch,
				runtime.GOOS, runtime.GOARCH)
		case a.Name == name || name == "" && here:
			if !semver.IsValid("v" + a.Version) {
				return chosen, fmt.Errorf("%s has no valid version", a.Name)
			}
			return a, nil
		}
	}
	if name == "" {
		name = "an archive for " + runtime.GOOS + " on " + runtime.GOARCH
	}
	return chosen, fmt.Errorf("%s does not list %s", release.Sums, name)
}

// runs checks that the program runs on this machine and has the version that the archive's name promises.
func (s Staged) runs(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, s.path, "version").Output()
	if err != nil {
		return fmt.Errorf("it does not run: %w", err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Scan()
	if got := strings.TrimPrefix(strings.TrimPrefix(lines.Text(), "meldhall "), "v"); got != s.Version {
		return fmt.Errorf("it says that its version is %q, not %s", got, s.Version)
	}
	return nil
}

// ofPackage rejects a program that belongs to an installed package: the system would not know of the change.
func ofPackage(program string) error {
	for _, owns := range [][]string{{"dpkg", "-S"}, {"rpm", "-qf"}} {
		if exec.Command(owns[0], owns[1], program).Run() == nil { // fails without the package manager, too
			return fmt.Errorf("%s belongs to a package of this machine: install the package of the new version",
				program)
		}
	}
	return nil
}
