package main

import (
	"bytes"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed manifests
var manifestFiles embed.FS

// manifest has what the templates of manifests use.
type manifest struct {
	Version, URL, Date string
	sums               map[string]string // hashes by archive
}

// Sum returns the hash of a target's archive; its ending is tar.gz or zip.
func (m manifest) Sum(target, ending string) string { return m.sums[m.Archive(target, ending)] }

// Archive returns the name of a target's archive.
func (m manifest) Archive(target, ending string) string {
	return "meldhall_" + m.Version + "_" + target + "." + ending
}

// Link returns the download address of a target's archive.
func (m manifest) Link(target, ending string) string { return m.URL + "/" + m.Archive(target, ending) }

// manifests writes the manifests for winget, Homebrew and Scoop, if all systems are in the release.
func (r release) manifests() error {
	if len(r.targets) < len(targets) {
		return nil
	}
	m := manifest{Version: r.source.version, URL: r.url, Date: r.source.time.Format("2006-01-02"),
		sums: map[string]string{}}
	archives, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	for _, a := range archives {
		if m.sums[a.Name()], err = hashOf(filepath.Join(r.out, a.Name())); err != nil {
			return err
		}
	}
	folder, err := fs.Sub(manifestFiles, "manifests")
	if err != nil {
		return err
	}
	all, err := template.ParseFS(folder, "*")
	if err != nil {
		return err
	}
	for _, t := range all.Templates() {
		var out bytes.Buffer
		if err := t.Execute(&out, m); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, t.Name()), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
