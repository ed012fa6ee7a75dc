package webtest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/archive"
)

const vectors = "../../data/record/vectors/"

// verified is what the verifier says about a file.
type verified struct {
	Verdict string
	Faults  []struct{ File, What string }
}

// openVerifier opens the independent verifier as the server sends it, with its security policy.
func openVerifier(t *testing.T) *tab {
	t.Helper()
	e := newEvent(t, 4, nil)
	p := startChromium(t).tab(t, 1366, 768)
	p.open(e.http.URL + "/verify")
	p.wait(`!!window.verifier`)
	return p
}

func (p *tab) verify(file []byte) verified {
	p.t.Helper()
	return eval[verified](p, fmt.Sprintf(`verifier.check(Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)))`,
		base64.StdEncoding.EncodeToString(file)))
}

// TestBrowserVerifierVectors runs all vectors of the specification in the independent verifier.
func TestBrowserVerifierVectors(t *testing.T) {
	p := openVerifier(t)
	texts := readVectors(t, "text.json")
	all := 0
	for _, name := range []string{"plays", "scores", "games", "standings", "archives", "deal", "log", "signature"} {
		archives := map[string]string{}
		if name == "archives" {
			files, err := filepath.Glob(vectors + "archives/*.zip")
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				archives["archives/"+filepath.Base(file)] = base64.StdEncoding.EncodeToString(data)
			}
		}
		packed, err := json.Marshal(archives)
		if err != nil {
			t.Fatal(err)
		}
		got := eval[struct {
			OK  bool
			Got struct {
				Passed, Of, NotRun int
				Failed             []any
			}
		}](p, fmt.Sprintf(`verifier.vector(%q, %s, {text: %s, archives: %s})`, name, readVectors(t, name+".json"),
			texts, packed))
		t.Logf("%s: %d of %d vectors, %d not run", name, got.Got.Passed, got.Got.Of, got.Got.NotRun)
		if !got.OK || got.Got.Of == 0 {
			t.Errorf("%s: %.2000v", name, got.Got.Failed)
		}
		all += got.Got.Passed
	}
	if all < 300 {
		t.Errorf("%d vectors", all)
	}
	if complaints := p.complaints(); len(complaints) > 0 {
		t.Error(complaints)
	}
}

func readVectors(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(vectors + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// onlyOurs matches faults in what an independent verifier does not check, by the specification: draws, and files that
// follow from others.
var onlyOurs = regexp.MustCompile(`its method \(.*\) and seed|by the draw and the records|` +
	`it differs from this program's output|the seating reports do not match|cannot be derived again`)

// TestBrowserVerifiersAgree changes 200 archives, each in one place, mostly with a new manifest, and compares the
// verdicts of the program and of the independent verifier.
func TestBrowserVerifiersAgree(t *testing.T) {
	p := openVerifier(t)
	random := rand.New(rand.NewPCG(48, 200))
	var whole [][]byte
	for _, name := range []string{"three-rounds-with-every-kind-of-fact", "a-joint-shuffle", "a-log-and-a-witness",
		"a-lot-decides-a-cut"} {
		data := readVectors(t, "archives/"+name+".zip")
		whole = append(whole, data)
		if got := p.verify(data); got.Verdict != "holds" {
			t.Fatalf("%s: %+v", name, got)
		}
	}
	failed, ours := 0, 0
	for i := range 200 {
		changed, what := changedArchive(t, random, whole[i%len(whole)])
		fault := ""
		if a, err := archive.Read(changed); err != nil {
			fault = err.Error()
		} else if _, err := a.Verify(t.Context()); err != nil {
			fault = err.Error()
		}
		got := p.verify(changed)
		if fault != "" {
			failed++
		}
		if (got.Verdict == "holds") == (fault == "") {
			continue
		}
		lines := slices.DeleteFunc(strings.Split(fault, "\n"), onlyOurs.MatchString)
		if got.Verdict == "holds" && len(lines) == 0 {
			ours++
			continue
		}
		t.Errorf("%d, %s: the program says %q, the verifier %+v", i, what, fault, got)
	}
	t.Logf("%d of 200 manipulations found, %d of them only by drawing again", failed, ours)
	if failed < 150 {
		t.Errorf("only %d of 200 manipulations change what an archive says", failed)
	}
}

// scalar matches a number or a text in JSON, with what is before it.
var scalar = regexp.MustCompile(`(?:[:\[,]\s*)(-?\d+|"[^"\\]*")`)

// changedArchive changes one byte or one value of a file. For a value, the manifest is written anew.
func changedArchive(t *testing.T, random *rand.Rand, data []byte) (changed []byte, what string) {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	name := in.File[1+random.IntN(len(in.File)-1)].Name
	was := files[name]
	if random.IntN(5) == 0 {
		at := random.IntN(len(was))
		files[name] = slices.Clone(was)
		files[name][at] ^= 1
		return zipOf(t, in, files), fmt.Sprintf("%s, byte %d", name, at)
	}
	places := scalar.FindAllSubmatchIndex(was, -1)
	place := places[random.IntN(len(places))]
	value := string(was[place[2]:place[3]])
	is := value + "1"
	if strings.HasPrefix(value, `"`) {
		is = `"` + strings.Trim(value, `"`) + `x"`
	}
	files[name] = slices.Concat(was[:place[2]], []byte(is), was[place[3]:])
	reseal(t, files, name, was)
	return zipOf(t, in, files), fmt.Sprintf("%s: %s for %s at %d", name, is, value, place[2])
}

// reseal writes the hash and the size of a changed file into the manifest, and the manifest's own hash.
func reseal(t *testing.T, files map[string][]byte, name string, was []byte) {
	t.Helper()
	sum := func(data []byte) string { s := sha256.Sum256(data); return hex.EncodeToString(s[:]) }
	entry := func(data []byte) string {
		return fmt.Sprintf("\"name\": %q,\n      \"size\": %d,\n      \"sha256\": %q", name, len(data), sum(data))
	}
	text := string(files["manifest.json"])
	sealed := strings.Replace(text, entry(was), entry(files[name]), 1)
	at := strings.LastIndex(sealed, `"sha256": "`) + len(`"sha256": "`)
	if sealed == text || at < 20 {
		t.Fatalf("the manifest does not name %s:\n%s", name, text)
	}
	bare := sealed[:at] + sealed[at+64:]
	files["manifest.json"] = []byte(sealed[:at] + sum([]byte(bare)) + sealed[at+64:])
}

func zipOf(t *testing.T, in *zip.Reader, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(files[f.Name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
