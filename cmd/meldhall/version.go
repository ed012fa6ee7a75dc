package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"meldhall/tournament/store"
)

// The release command sets these variables at build: the version without a leading v, the commit and its time. A build
// from source takes them from its build information.
var releaseVersion, releaseCommit, releaseTime string

// versionCmd is the command meldhall version.
type versionCmd struct{}

// Run prints the version that was recorded in the binary.
func (versionCmd) Run() error { return writeVersion(os.Stdout) }

func writeVersion(w io.Writer) error {
	schema, err := store.SchemaVersion()
	if err != nil {
		return err
	}
	set := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
	}
	commit := cmp.Or(releaseCommit, set["vcs.revision"], "unknown")
	if set["vcs.modified"] == "true" {
		commit += ", with changes"
	}
	_, err = fmt.Fprintf(w, "meldhall %s\ncommit   %s\nof       %s\nGo       %s for %s/%s\ntables   %d\n",
		version(), commit, cmp.Or(releaseTime, set["vcs.time"], "unknown"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, schema)
	return err
}

// version returns the program's version, as recorded by the release command or the go command.
func version() string {
	if releaseVersion != "" {
		return releaseVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "devel"
}
