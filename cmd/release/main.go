// Command release makes a release of Meldhall: archives, packages and an image for each system, signed hashes, the bill
// of materials, manifests for package managers and release notes. The same source, version and key give the same bytes.
//
//	go run -C cmd/release . --out "$PWD/dist" --key "$HOME/meldhall.key" --version 1.2.3
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"
)

// arguments are the flags of the command.
type arguments struct {
	Out     string   `help:"The new folder for the release." placeholder:"DIR"`
	Key     string   `help:"The file with the signing key. A verifier key alone signs nothing." placeholder:"FILE"`
	NewKey  string   `help:"Write a new signing key to this file, and print its verifier key." placeholder:"FILE"`
	Version string   `help:"Version, such as 1.2.3 (the tag of the commit, or its time)."`
	Commit  string   `help:"Commit of the source, if there is no git. SOURCE_DATE_EPOCH is then its time in seconds."`
	URL     string   `help:"Download address for package managers." default:"https://download.example/meldhall"`
	Notes   string   `help:"The file with the release notes (the commits since the last tag)." placeholder:"FILE"`
	Only    []string `help:"Build only for these systems, such as linux/amd64." placeholder:"OS/ARCH"`
}

func main() {
	var args arguments
	kong.Parse(&args, kong.Name("release"), kong.Description("Make a release of Meldhall."))
	if err := args.run(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes the key, or the release of the source in root, that the arguments ask for.
func (args arguments) run(root string) error {
	if args.NewKey != "" {
		verifier, err := writeKey(args.NewKey)
		fmt.Println(verifier)
		return err
	}
	if args.Out == "" || args.Key == "" {
		return errors.New("--out and --key are needed, or --new-key")
	}
	keys, err := readKeys(args.Key)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	s, err := sourceIn(root, args)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "meldhall-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.Mkdir(args.Out, 0o755); err != nil {
		return err
	}
	r := release{source: s, keys: keys, out: args.Out, work: work, url: args.URL}
	if r.targets, err = targetsOf(args.Only); err != nil {
		return err
	}
	return r.make(args.Notes)
}

// release is a release while it is made.
type release struct {
	source  source
	keys    keys
	out     string // the folder of the release
	work    string // a folder for intermediate files
	url     string
	targets []target
}

// make writes all files of the release; the hashes last, so that they cover the others.
func (r release) make(notes string) error {
	if err := r.compress(); err != nil {
		return err
	}
	for _, t := range r.targets {
		if err := r.build(t); err != nil {
			return fmt.Errorf("build for %s: %w", t, err)
		}
	}
	for _, step := range []func() error{
		r.archives, r.packages, r.images, r.billOfMaterials, r.manifests,
		func() error { return r.notes(notes) }, r.sums,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
