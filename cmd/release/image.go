package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// containerUser is the unprivileged user of the image.
const containerUser = 65532

// images writes the container image of each Linux target as an OCI archive, as data/deploy/Containerfile builds it. The
// root certificates are Mozilla's, in the version of a Go module, so that they do not depend on this machine.
func (r release) images() error {
	for _, t := range r.targets {
		if t.system != "linux" {
			continue
		}
		image, err := r.image(t)
		if err != nil {
			return err
		}
		folder := filepath.Join(r.work, "image-"+t.arch)
		index, err := layout.Write(folder, empty.Index)
		if err != nil {
			return err
		}
		if err := index.AppendImage(image, layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": "meldhall:" + r.source.version,
		})); err != nil {
			return err
		}
		entries, err := filesIn(folder)
		if err != nil {
			return err
		}
		if err := r.write(r.named(t)+".oci.tar", writeTar, entries); err != nil {
			return err
		}
	}
	return nil
}

func (r release) image(t target) (v1.Image, error) {
	var roots strings.Builder
	for root := range bundle.Roots() {
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	var files bytes.Buffer
	if err := writeTar(&files, []entry{
		{name: "data/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", text: roots.String(), mode: 0o644},
		{name: "meldhall", from: r.binary(t), mode: 0o755},
	}, r.source.time); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files.Bytes())), nil
	})
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = t.system, t.arch, v1.Time{Time: r.source.time}
	config.Config = v1.Config{
		Entrypoint:   []string{"/meldhall"},
		Cmd:          []string{"serve", "--db", "/data/meldhall.db", "--log-json"},
		User:         "65532:65532",
		WorkingDir:   "/data",
		Volumes:      map[string]struct{}{"/data": {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Meldhall",
			"org.opencontainers.image.version":  r.source.version,
			"org.opencontainers.image.revision": r.source.commit,
		},
	}
	return mutate.ConfigFile(image, config)
}

// filesIn returns all files below a folder.
func filesIn(folder string) (entries []entry, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		entries = append(entries, entry{name: filepath.ToSlash(name), from: path, mode: 0o644})
		return err
	})
	return entries, err
}
