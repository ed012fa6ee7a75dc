package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"meldhall/engine/testmode"
)

const root = "../.."

// made is a release for Linux on amd64: the one in the folder dist of MELDHALL_RELEASE, or one that it makes in a
// temporary folder. The signing key is the file key beside dist.
var made = sync.OnceValues(func() (folder string, err error) {
	if folder = os.Getenv("MELDHALL_RELEASE"); folder != "" {
		return folder, nil
	}
	folder = filepath.Join(scratch, "made")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	if err := (arguments{NewKey: filepath.Join(folder, "key")}).run(root); err != nil {
		return "", err
	}
	commit, err := commitOfTree()
	if err != nil {
		return "", err
	}
	return folder, arguments{Out: filepath.Join(folder, "dist"), Key: filepath.Join(folder, "key"), Commit: commit,
		Only: []string{"linux/amd64"}}.run(root)
})

// scratch is a folder for all tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "meldhall-release-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

func release1(t *testing.T) string {
	t.Helper()
	testmode.SkipUnlessLong(t)
	folder, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// commitOfTree returns a commit of the checkout's files as they are: a new one if they differ from HEAD.
var commitOfTree = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("git", "-C", root, "stash", "create").Output()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		out, err = exec.Command("git", "-C", root, "rev-parse", "HEAD").Output()
	}
	return string(bytes.TrimSpace(out)), err
})

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestReproducible makes the release again, in another folder, from a tarball without .git and with the verifier key
// alone. All hashes are equal, but for the release notes, which need the commits.
func TestReproducible(t *testing.T) {
	folder := release1(t)
	commit, err := commitOfTree()
	if err != nil {
		t.Fatal(err)
	}
	s, err := sourceIn(root, arguments{})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", strconv.FormatInt(s.time.Unix(), 10)) // the tarball has another one if files differ
	other := t.TempDir()
	output(t, "sh", "-c", `git -C "$1" archive "$2" | tar -x -C "$3"`, "sh", root, commit, other)
	keys, err := readKeys(filepath.Join(folder, "key"))
	if err != nil {
		t.Fatal(err)
	}
	verifier := filepath.Join(t.TempDir(), "verifier")
	if err := os.WriteFile(verifier, []byte(keys.verifier+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(t.TempDir(), "dist")
	args := arguments{Out: again, Key: verifier, Only: []string{"linux/amd64"}}
	if err := args.run(other); err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for line := range strings.Lines(opened(t, filepath.Join(folder, "dist"), keys.verifier)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		first[name] = sum
	}
	text, err := os.ReadFile(filepath.Join(again, sumsName))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if name != notesName && sum != first[name] {
			t.Errorf("%s: the hashes are %q and %q", name, first[name], sum)
		}
	}
	if n := strings.Count(string(text), "\n"); n != 6 {
		t.Errorf("the release has %d files:\n%s", n, text)
	}
}

// opened returns the text of a release's signed hashes.
func opened(t *testing.T, dist, key string) string {
	t.Helper()
	signed, err := os.ReadFile(filepath.Join(dist, sumsName))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	return n.Text
}

// TestChangedByte checks a downloaded package the way the guide says, as it is and with one changed byte.
func TestChangedByte(t *testing.T) {
	folder := release1(t)
	download := t.TempDir()
	path := only(t, filepath.Join(folder, "dist", "*_amd64.deb"))
	deb, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(folder, "dist", sumsName))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(download, filepath.Base(path))
	check := func() error {
		command := exec.Command("sha256sum", "--ignore-missing", "-c", sumsName)
		command.Dir = download
		return command.Run()
	}
	for _, changed := range []bool{false, true} {
		if changed {
			deb[len(deb)/2] ^= 1
		}
		if err := os.WriteFile(name, deb, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(download, sumsName), sums, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := check(); (err != nil) != changed {
			t.Errorf("changed %v: %v", changed, err)
		}
	}
}

// TestKeys checks that a key file signs hashes that its verifier key opens, and no other.
func TestKeys(t *testing.T) {
	folder := t.TempDir()
	for range 20 { // base64 of some keys has a plus
		path := filepath.Join(folder, "key")
		verifier, err := writeKey(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := writeKey(path); err == nil {
			t.Fatal("a new key replaced an old one")
		}
		k, err := readKeys(path)
		if err != nil || k.verifier != verifier {
			t.Fatalf("got %q, %v, want %q", k.verifier, err, verifier)
		}
		dist := t.TempDir()
		if err := os.WriteFile(filepath.Join(dist, "a"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := (release{out: dist, keys: k}).sums(); err != nil {
			t.Fatal(err)
		}
		const want = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n"
		if got := opened(t, dist, k.verifier); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
