package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"meldhall/templates/letters"
	"meldhall/templates/packed"
)

//go:generate go run ./bundle assets

// The scripts and style sheets are built from the sources in assets/js and assets/css; see assets/README.md.
//
//go:embed assets/built assets/fonts assets/icon.svg assets/vendor/*.LICENSE
var assetFiles embed.FS

// An AssetSet holds everything that pages load: style sheets, scripts and fonts. Its base address contains a hash of
// all files, so responses may be cached forever and the files may refer to each other by relative addresses.
type AssetSet struct {
	base  string
	files map[string]asset
}

type asset struct {
	kind   string
	plain  []byte
	zipped []byte // nil where compression gains nothing
}

// LoadAssets returns the embedded files. It compresses the text files once per process, unless the release command has
// done so.
func LoadAssets() (*AssetSet, error) {
	set, err := embedded()
	if err != nil {
		return nil, err
	}
	return &AssetSet{set.base, set.files}, nil
}

var embedded = sync.OnceValues(func() (*AssetSet, error) {
	set := &AssetSet{files: map[string]asset{}}
	sum := sha256.New()
	err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := assetFiles.ReadFile(name)
		if err != nil {
			return err
		}
		plain, err := packed.Read(file)
		if err != nil {
			return err
		}
		name = strings.TrimPrefix(name, "assets/")
		fmt.Fprintf(sum, "%s %d\n", name, len(plain))
		sum.Write(plain)
		if len(file) < len(plain) {
			set.files[name] = asset{kind: assetKind(name), plain: plain, zipped: file}
			return nil
		}
		set.files[name], err = newAsset(name, plain)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	set.base = "/assets/" + hex.EncodeToString(sum.Sum(nil))[:16]
	return set, nil
})

func newAsset(name string, data []byte) (asset, error) {
	a := asset{kind: assetKind(name), plain: data}
	if strings.HasSuffix(name, ".woff2") {
		return a, nil
	}
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return asset{}, err
	}
	if _, err := w.Write(data); err != nil {
		return asset{}, err
	}
	if err := w.Close(); err != nil {
		return asset{}, err
	}
	if zipped.Len() < len(data) {
		a.zipped = zipped.Bytes()
	}
	return a, nil
}

// assetKind returns the content type of a file. For the kinds of files that pages load, it does not use the operating
// system's MIME table, which differs between machines.
func assetKind(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".ttf":
		return "font/ttf"
	case ".svg":
		return "image/svg+xml; charset=utf-8"
	case ".LICENSE":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// Base returns the base address of the assets, "/assets/" and a hash, without a trailing slash. Pages receive it as
// part.Page.Assets.
func (s *AssetSet) Base() string { return s.base }

// Asset returns the address of the asset with the given name, such as "built/hall.css".
func (s *AssetSet) Asset(name string) string { return s.base + "/" + name }

// find returns the file at an address: one of the set, or the style sheet or font for the letters of a page.
func (s *AssetSet) find(address string) (a asset, found bool) {
	if cut, ok := strings.CutPrefix(address, letters.Path); ok {
		data, found := letters.File(cut)
		if !found {
			return asset{}, false
		}
		a, err := newAsset(cut, data)
		return a, err == nil
	}
	if name, ok := strings.CutPrefix(address, s.base+"/"); ok {
		a, found = s.files[name]
	}
	return a, found
}

// ServeHTTP serves GET and HEAD requests below /assets/. An address with another hash belongs to another release, so it
// returns 404 rather than a file of this release.
func (s *AssetSet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "assets are only read", http.StatusMethodNotAllowed)
		return
	}
	a, found := s.find(r.URL.Path)
	if !found {
		http.NotFound(w, r)
		return
	}
	body, h := a.plain, w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	if a.zipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.zipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // a failure means that the client is gone
	}
}
