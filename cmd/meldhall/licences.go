package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime/debug"

	"meldhall/data"
	"meldhall/templates/packed"
)

// licencesCmd is the command meldhall licenses.
type licencesCmd struct{}

// Run prints the licences of all code and files in the program.
func (licencesCmd) Run() error {
	text, err := packed.Read([]byte(data.Licences))
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	return err
}

// sbomCmd is the command meldhall sbom.
type sbomCmd struct{}

// Run prints the modules linked into this binary, from its build information, as CycloneDX 1.6 JSON.
func (sbomCmd) Run() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this binary has no build information")
	}
	return writeBOM(os.Stdout, info)
}

// bom is a bill of materials with the fields that this program uses.
type bom struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
}

func writeBOM(w io.Writer, info *debug.BuildInfo) error {
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1}
	b.Metadata.Component = component{Type: "application", Ref: "meldhall", Name: "meldhall", Version: version()}
	b.Components = []component{library("stdlib", info.GoVersion)}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		b.Components = append(b.Components, library(dep.Path, dep.Version))
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(b)
}

func library(path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
}
