package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func flagsOf(t *testing.T, command string) (names, variables []string) {
	t.Helper()
	var args arguments
	parser, err := kong.New(&args)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range parser.Model.Children {
		if node.Name != command {
			continue
		}
		for _, f := range node.Flags {
			names, variables = append(names, "--"+f.Name), append(variables, f.Envs...)
			if f.Help == "" {
				t.Errorf("--%s of %s says nothing in --help", f.Name, command)
			}
		}
	}
	return names, variables
}

// TestFlagsAreTold checks that the README's table lists exactly the server's flags, with their variables.
func TestFlagsAreTold(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(readme), "| flag | variable |")
	if !ok {
		t.Fatal("the README has no table of flags")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := ""
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			rows += cells[1] + cells[2]
		}
	}
	names, variables := flagsOf(t, "serve")
	if len(names) < 10 {
		t.Fatalf("only the flags %v", names)
	}
	for _, told := range regexp.MustCompile("`(--[a-z-]+|MELDHALL_[A-Z_]+|_[A-Z]+)`").FindAllStringSubmatch(rows, -1) {
		if !strings.HasPrefix(told[1], "_") && !slices.Contains(names, told[1]) &&
			!slices.Contains(variables, told[1]) {
			t.Errorf("the README tells of %s, which is not there", told[1])
		}
	}
	for _, want := range names {
		if want != "--help" && !strings.Contains(rows, "`"+want+"`") {
			t.Errorf("the README's table lacks %s", want)
		}
	}
	for _, want := range variables {
		// listed as `_KEY` beside the certificate's variable
		if !strings.Contains(rows, "`"+want+"`") && want != "MELDHALL_TLS_KEY" {
			t.Errorf("the README's table lacks %s", want)
		}
	}
}

// TestDeploymentUsesWhatIsThere checks that the guide, the systemd unit and the container file only use existing
// commands, flags and variables.
func TestDeploymentUsesWhatIsThere(t *testing.T) {
	var known []string
	for _, command := range []string{"serve", "certificate", "backup", "move", "verify", "version"} {
		names, variables := flagsOf(t, command)
		known = append(append(known, names...), variables...)
	}
	for _, file := range []string{"README.md", "meldhall.service", "Containerfile", "nodes/compose.yaml",
		"nodes/meldhall-node.service"} {
		text, err := os.ReadFile(filepath.Join(root, "data/deploy", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			at := strings.Index(line, "meldhall ")
			if at < 0 && !strings.Contains(line, "MELDHALL_") {
				continue
			}
			for _, word := range regexp.MustCompile(`--[a-z-]+|MELDHALL_[A-Z_]+`).FindAllString(line[max(at, 0):], -1) {
				if !slices.Contains(known, word) {
					t.Errorf("%s uses %s, which is not there: %s", file, word, line)
				}
			}
		}
	}
}
