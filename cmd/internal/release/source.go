package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Source is a place that has a release: a folder, such as a USB stick, or an address. Name is the archive to use, or
// empty if the list of hashes has to name it.
type Source struct {
	Name   string
	folder string
	base   *url.URL // nil for a folder
}

// From returns the source for what a user gave: an archive or its folder, as a path or as an http or https address. An
// address of a folder ends with a slash.
func From(given string) (Source, error) {
	if u, err := url.Parse(given); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return Source{Name: u.Path[strings.LastIndex(u.Path, "/")+1:], base: u}, nil
	}
	info, err := os.Stat(given)
	if err != nil {
		return Source{}, err
	}
	if info.IsDir() {
		return Source{folder: given}, nil
	}
	return Source{Name: filepath.Base(given), folder: filepath.Dir(given)}, nil
}

// Sums returns the list of hashes, unchecked.
func (s Source) Sums(ctx context.Context) ([]byte, error) { return s.read(ctx, Sums, sumsMost) }

// Read returns the contents of an archive, unchecked.
func (s Source) Read(ctx context.Context, a Archive) ([]byte, error) {
	return s.read(ctx, a.Name, programMost)
}

func (s Source) read(ctx context.Context, name string, most int64) ([]byte, error) {
	open := s.openFile
	if s.base != nil {
		open = s.download
	}
	r, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errors.New("it is too large")
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

func (s Source) openFile(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(s.folder, name))
}

// download requests a file beside the given address and nothing else.
func (s Source) download(ctx context.Context, name string) (io.ReadCloser, error) {
	address := s.base.ResolveReference(&url.URL{Path: name, RawQuery: s.base.RawQuery})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("get %s: %s", address, resp.Status), resp.Body.Close())
	}
	return resp.Body, nil
}
