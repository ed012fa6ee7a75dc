// Command licences prints the licences of all third-party code and files in the program, for data/licences.txt:
//
//	go generate ./data
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := write(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// part is a third-party part of the program, with the text of its licence.
type part struct{ name, text string }

const (
	program = "meldhall/cmd/meldhall"
	tags    = "nomsgpack" // build tags of the program
	heading = "Meldhall is made with the parts that are named here, each under the licence that follows its name."
	ruler   = "\n================================================================================\n"
)

// systems are the platforms that releases are built for; each links a few modules of its own.
var systems = []string{"linux/amd64", "linux/arm64", "windows/amd64", "darwin/arm64"}

// write writes the licences of the program in the module at dir. Parts with the same licence text are grouped.
func write(w io.Writer, dir string) error {
	parts, root, err := linked(dir)
	if err != nil {
		return err
	}
	for _, folder := range []string{"web/assets", "tournament/account", "templates/pdf"} {
		found, err := carried(filepath.Join(root, filepath.FromSlash(folder)))
		if err != nil {
			return err
		}
		parts = append(parts, found...)
	}
	var texts []string
	names := map[string][]string{}
	for _, p := range parts {
		if names[p.text] == nil {
			texts = append(texts, p.text)
		}
		names[p.text] = append(names[p.text], p.name)
	}
	var out bytes.Buffer
	out.WriteString(heading + "\n")
	for _, text := range texts {
		fmt.Fprint(&out, ruler, strings.Join(names[text], "\n"), "\n\n", text)
	}
	_, err = out.WriteTo(w)
	return err
}

// linked returns the modules that are linked on any of the systems, and Go's standard library. root is the folder of
// the program's own module.
func linked(dir string) (parts []part, root string, err error) {
	modules := map[string]string{} // name and version -> folder
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		list, err := goList(dir, goos, goarch)
		if err != nil {
			return nil, "", err
		}
		for line := range strings.Lines(list) {
			name, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
			switch name {
			case "":
			case "meldhall":
				root = folder
			default:
				modules[name] = folder
			}
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, "", err
	}
	modules["Go's standard library"] = strings.TrimSpace(string(goroot))
	for name, folder := range modules {
		text, err := licenceIn(folder)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		parts = append(parts, part{name, text})
	}
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return parts, root, nil
}

func goList(dir, goos, goarch string) (string, error) {
	list := exec.Command("go", "list", "-deps", "-tags", tags, "-f",
		"{{with .Module}}{{.Path}}{{with .Version}} {{.}}{{end}}\t{{.Dir}}{{end}}", program)
	list.Dir = dir
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	list.Stderr = os.Stderr
	out, err := list.Output()
	return string(out), err
}

// licenceFile matches the names of files that contain a module's licence, or a notice that must be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice)([-.].*)?$`)

// licenceIn returns the licence texts at the top level of a folder.
func licenceIn(folder string) (text string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		if entry.IsDir() || !licenceFile.MatchString(entry.Name()) || strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		file, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		text += tidy(string(file))
	}
	if text == "" {
		return "", errors.New("no licence found")
	}
	return text, nil
}

// tidy normalizes line endings, so that equal licence texts compare equal.
func tidy(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")) + "\n"
}

// carried returns the third-party files in a folder (scripts, fonts, lists), found by the licence files beside them.
func carried(folder string) (parts []part, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".LICENSE" {
			return err
		}
		file, err := os.ReadFile(name)
		parts = append(parts, part{strings.TrimSuffix(filepath.Base(name), ".LICENSE"), tidy(string(file))})
		return err
	})
	return parts, err
}
