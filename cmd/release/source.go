package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// source is the source that a release is made from.
type source struct {
	root    string // its top folder
	version string // without a leading v
	commit  string
	time    time.Time // the commit's time; all files of the release carry it
	git     bool      // whether root is a checkout
}

// sourceIn finds out the version, commit and time of the source in root. Arguments and SOURCE_DATE_EPOCH go first. A
// tarball of git archive names its commit in cmd/release/source.txt, otherwise git knows it.
func sourceIn(root string, args arguments) (source, error) {
	s := source{root: root, version: args.Version}
	_, err := os.Stat(filepath.Join(root, ".git"))
	s.git = err == nil
	text, err := os.ReadFile(filepath.Join(root, "cmd", "release", "source.txt"))
	if err != nil {
		return s, err
	}
	commit, epoch, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if strings.HasPrefix(commit, "$") { // not replaced by git archive
		commit, epoch = "", ""
		if s.git {
			if commit, epoch, err = s.head(); err != nil {
				return s, err
			}
		}
	}
	s.commit = cmp.Or(args.Commit, commit)
	epoch = cmp.Or(os.Getenv("SOURCE_DATE_EPOCH"), epoch)
	if s.commit == "" || epoch == "" {
		return s, errors.New("without git, set --commit and SOURCE_DATE_EPOCH")
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return s, fmt.Errorf("the time of the source: %w", err)
	}
	s.time = time.Unix(seconds, 0).UTC()
	if s.version == "" && s.git {
		if tag, err := s.gitOutput("describe", "--tags", "--exact-match", "--match", "v[0-9]*"); err == nil {
			s.version = tag
		}
	}
	s.version = strings.TrimPrefix(s.version, "v")
	if s.version == "" {
		s.version = fmt.Sprintf("0.0.0-%s-%.12s", s.time.Format("20060102150405"), s.commit)
	}
	if strings.ContainsAny(s.version, "_/ ") {
		return s, fmt.Errorf("the version %q must not have underscores, slashes or spaces", s.version)
	}
	return s, nil
}

// head returns the checkout's commit, with a mark if files differ from it, and its time in seconds.
func (s source) head() (commit, epoch string, err error) {
	out, err := s.gitOutput("show", "-s", "--format=%H %ct", "HEAD")
	if err != nil {
		return "", "", err
	}
	commit, epoch, _ = strings.Cut(out, " ")
	changed, err := s.gitOutput("status", "--porcelain")
	if err == nil && changed != "" {
		commit += "+changes"
	}
	return commit, epoch, err
}

func (s source) gitOutput(args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", s.root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// notes writes the release notes: the file given, or the subjects of the commits since the last tag.
func (r release) notes(file string) error {
	text := "# Meldhall " + r.source.version + "\n"
	switch {
	case file != "":
		given, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = string(given)
	case r.source.git:
		since := []string{"log", "--no-merges", "--format=- %s"}
		tag, err := r.source.gitOutput("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^")
		if err == nil {
			since = append(since, tag+"..HEAD")
		} else {
			since = append(since, "--max-count=50")
		}
		subjects, err := r.source.gitOutput(since...)
		if err != nil {
			return err
		}
		text += "\n" + subjects + "\n"
	}
	return os.WriteFile(filepath.Join(r.out, notesName), []byte(text), 0o644)
}
