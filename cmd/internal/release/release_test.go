package release_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/cmd/internal/release"
	"meldhall/cmd/internal/release/releasetest"
)

// zipped returns an archive for Windows with one program.
func zipped(t *testing.T, name, contents string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte(contents))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRelease reads a release from a folder and from an address, and extracts the program of each system.
func TestRelease(t *testing.T) {
	files := map[string][]byte{
		"meldhall_1.2.3_linux_amd64.tar.gz": releasetest.Tarball(t, "meldhall_1.2.3/meldhall", "for linux"),
		"meldhall_1.2.3_windows_arm64.zip":  zipped(t, "meldhall.exe", "for windows"),
		"meldhall_1.2.3_amd64.deb":          []byte("a package"),
	}
	folder, key := releasetest.Folder(t, files)
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	for _, c := range []struct{ given, name string }{
		{folder, ""},
		{filepath.Join(folder, "meldhall_1.2.3_linux_amd64.tar.gz"), "meldhall_1.2.3_linux_amd64.tar.gz"},
		{server.URL + "/", ""},
		{server.URL + "/meldhall_1.2.3_windows_arm64.zip", "meldhall_1.2.3_windows_arm64.zip"},
	} {
		source, err := release.From(c.given)
		if err != nil || source.Name != c.name {
			t.Fatalf("%s: archive %q, %v; want %q", c.given, source.Name, err, c.name)
		}
		got, err := source.Sums(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		archives, err := release.Verify(got, key)
		if err != nil || len(archives) != 2 {
			t.Fatalf("%s: %d archives, %v", c.given, len(archives), err)
		}
		for _, a := range archives {
			data, err := source.Read(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(t.TempDir(), "program")
			if err := a.Extract(data, to); err != nil {
				t.Error(err)
			}
			if text, err := os.ReadFile(to); err != nil || string(text) != "for "+a.System || a.Version != "1.2.3" {
				t.Errorf("%+v: %q, %v", a, text, err)
			}
			data[len(data)/2] ^= 1
			if err := a.Extract(data, to+"2"); err == nil || !strings.Contains(err.Error(), "was changed") {
				t.Errorf("%s with a changed byte: %v", a.Name, err)
			}
		}
	}
}

// TestVerifyRefuses checks that no list of hashes passes without a valid signature.
func TestVerifyRefuses(t *testing.T) {
	sums, key := releasetest.Signed(t, map[string][]byte{"meldhall_1.2.3_linux_amd64.tar.gz": nil})
	_, other := releasetest.Signed(t, map[string][]byte{"a": nil})
	unreadable, itsKey := releasetest.Signed(t, map[string][]byte{"../a": nil})
	for name, c := range map[string]struct {
		sums []byte
		key  string
	}{
		"no key":               {sums, ""},
		"no verifier key":      {sums, "meldhall"},
		"another key":          {sums, other},
		"a changed hash":       {bytes.Replace(sums, []byte("linux_amd64"), []byte("linux_arm64"), 1), key},
		"no signature":         {sums[:bytes.Index(sums, []byte("\n\n"))+2], key},
		"a path as file name":  {unreadable, itsKey},
		"an empty list":        {nil, key},
		"something before it":  {append([]byte("x\n"), sums...), key},
		"something behind all": {append(bytes.Clone(sums), "x\n"...), key},
	} {
		if archives, err := release.Verify(c.sums, c.key); err == nil {
			t.Errorf("%s: accepted %+v", name, archives)
		}
	}
}
