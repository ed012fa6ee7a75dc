package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// programMost is the limit for the size of a binary in bytes: 60 MB.
const programMost = 60 << 20

// target is a system that the program is built for, in the words of GOOS and GOARCH.
type target struct{ system, arch string }

// targets lists all systems of a release.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
}

func (t target) String() string { return t.system + "/" + t.arch }

// targetsOf returns the targets with the given names; all if there are none.
func targetsOf(names []string) ([]target, error) {
	if len(names) == 0 {
		return targets, nil
	}
	var some []target
	for _, name := range names {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no release for %q", name)
		}
		some = append(some, targets[i])
	}
	return some, nil
}

// program returns the name of the binary in archives and packages.
func (t target) program() string {
	if t.system == "windows" {
		return "meldhall.exe"
	}
	return "meldhall"
}

// binary returns the path of the target's binary while the release is made.
func (r release) binary(t target) string {
	return filepath.Join(r.work, t.system+"-"+t.arch, t.program())
}

// named returns the start of the names of a target's archives.
func (r release) named(t target) string {
	return fmt.Sprintf("meldhall_%s_%s_%s", r.source.version, t.system, t.arch)
}

// build builds the binary of a target. Nothing of the machine gets into it. Pages and handlers are compiled without
// inlining: it would copy each component into all pages that show it, and saves no time there. If the variable
// MELDHALL_SIGN has a command, it is run with each binary for Windows and macOS, and signs the file in place.
func (r release) build(t target) error {
	flags := "-s -w"
	for _, variable := range []string{
		"main.releaseVersion=" + r.source.version, "main.releaseCommit=" + r.source.commit,
		"main.releaseTime=" + r.source.time.Format(time.RFC3339),
		"meldhall/cmd/internal/release.Key=" + r.keys.verifier,
	} {
		flags += " -X " + variable
	}
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly", "-tags", "nomsgpack",
		"-overlay", r.overlay(), "-gcflags=meldhall/templates/...=-l", "-gcflags=meldhall/web/...=-l",
		"-ldflags", flags, "-o", r.binary(t), "./cmd/meldhall")
	command.Dir = r.source.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off",
		"GOOS="+t.system, "GOARCH="+t.arch, "GOAMD64=v1", "GOARM64=v8.0")
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	if hook := os.Getenv("MELDHALL_SIGN"); hook != "" && t.system != "linux" {
		sign := exec.Command(hook, r.binary(t))
		sign.Stderr = os.Stderr
		if err := sign.Run(); err != nil {
			return fmt.Errorf("%s: %w", hook, err)
		}
	}
	info, err := os.Stat(r.binary(t))
	if err != nil {
		return err
	}
	fmt.Printf("%-14s %d bytes\n", t, info.Size())
	if info.Size() > programMost {
		return fmt.Errorf("the binary has %d bytes, more than %d", info.Size(), programMost)
	}
	return nil
}

// billOfMaterials writes what the binary for this machine says it consists of.
func (r release) billOfMaterials() error {
	here := target{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(r.targets, here) {
		return nil
	}
	var out bytes.Buffer
	command := exec.Command(r.binary(here), "sbom")
	command.Stdout, command.Stderr = &out, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(command.Args, " "), err)
	}
	return os.WriteFile(filepath.Join(r.out, fmt.Sprintf("meldhall_%s_sbom.json", r.source.version)), out.Bytes(),
		0o644)
}
