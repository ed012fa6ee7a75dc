package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// packages writes the packages for Debian and Red Hat of each Linux target.
func (r release) packages() error {
	unit, err := r.unit()
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		if t.system != "linux" {
			continue
		}
		for _, format := range []string{"deb", "rpm"} {
			if err := r.pack(format, t, unit); err != nil {
				return fmt.Errorf("%s for %s: %w", format, t.arch, err)
			}
		}
	}
	return nil
}

// unit writes the service's unit file with the paths of a package, and returns its path.
func (r release) unit() (string, error) {
	text, err := os.ReadFile(r.file("data/deploy/meldhall.service"))
	if err != nil {
		return "", err
	}
	moved := strings.ReplaceAll(string(text), "/usr/local/", "/usr/")
	path := filepath.Join(r.work, "meldhall.service")
	return path, os.WriteFile(path, []byte(moved), 0o644)
}

// pack writes one package.
func (r release) pack(format string, t target, unit string) error {
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	here := r.file("cmd/release/package/")
	info := &nfpm.Info{
		Name: "meldhall", Arch: t.arch, Platform: "linux", Version: r.source.version, MTime: r.source.time,
		Section: "games", Priority: "optional", Maintainer: "Meldhall", Vendor: "Meldhall",
		Description: "Rummikub tournaments\n" +
			"Meldhall seats rounds, runs games on tablets with a turn clock, and shows tables and standings.",
		License:         "Proprietary",
		DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Contents: files.Contents{
				r.content(r.binary(t), "/usr/bin/meldhall", 0o755, ""),
				r.content(unit, "/usr/lib/systemd/system/meldhall.service", 0o644, ""),
				r.content(filepath.Join(here, "meldhall.env"), "/etc/meldhall.env", 0o600, files.TypeConfigNoReplace),
				r.content(r.file("data/deploy/README.md"), "/usr/share/doc/meldhall/README.md", 0o644, ""),
				r.content(r.file("data/licences.txt"), "/usr/share/doc/meldhall/copyright", 0o644, ""),
			},
			Scripts: nfpm.Scripts{
				PreInstall:  filepath.Join(here, "before-install.sh"),
				PostInstall: filepath.Join(here, "after-install.sh"),
				PreRemove:   filepath.Join(here, "before-remove.sh"),
				PostRemove:  filepath.Join(here, "after-remove.sh"),
			},
			RPM: nfpm.RPM{BuildHost: "localhost", Summary: "Rummikub tournaments"},
		},
	}
	if format == "rpm" {
		info.Depends = []string{"shadow-utils"}
	} else {
		info.Depends = []string{"passwd"}
	}
	info = nfpm.WithDefaults(info)
	out, err := os.Create(filepath.Join(r.out, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, out), out.Close())
}

// content returns a file of a package, with the time of the source.
func (r release) content(from, to string, mode fs.FileMode, kind string) *files.Content {
	return &files.Content{Source: from, Destination: to, Type: kind,
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.source.time}}
}
