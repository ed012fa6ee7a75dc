// Package witness watches the transparency log of an event from another machine. It downloads all leaves, checks each
// checkpoint against them, and cosigns it. It stores what it has seen before it signs, so that it never cosigns two
// histories, even after a crash.
package witness

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/transparency"
)

// Seen is what the witness knows of a log: its newest checkpoint, and all leaves of that one.
type Seen struct {
	Checkpoint string   `json:"checkpoint"`
	Leaves     []string `json:"leaves"`
}

// State is the content of the state file. Key is the server's key, trusted since the first use. Newest is the origin of
// the log that the event has now.
type State struct {
	URL    string           `json:"url"`
	Key    string           `json:"key"`
	Newest string           `json:"newest"`
	Logs   map[string]*Seen `json:"logs"` // by origin
}

// Witness watches one event.
type Witness struct {
	URL   string // of the event, such as https://hall.example/events/3
	File  string // of the state
	Key   transparency.WitnessKey
	Trust string // the server's key, empty to trust the first one
	Now   func() time.Time
	Out   io.Writer

	state State
	trees map[string]transparency.Tree
}

// ForkError reports that the server contradicts what it has signed before. Evidence is the file with both checkpoints.
type ForkError struct {
	Evidence    string
	Known, Told string // signed checkpoints
	What        string
}

func (e *ForkError) Error() string {
	return fmt.Sprintf("THE HISTORY OF THE EVENT WAS FORKED: %s\n\nThe server signed earlier:\n\n%s\n"+
		"It now signs:\n\n%s\nBoth are kept in %s", e.What, e.Known, e.Told, e.Evidence)
}

// Open reads the state file. A missing one is an empty state.
func (w *Witness) Open() error {
	w.URL = strings.TrimSuffix(w.URL, "/")
	text, err := os.ReadFile(w.File)
	if errors.Is(err, fs.ErrNotExist) {
		w.state = State{URL: w.URL}
	} else if err == nil {
		err = json.Unmarshal(text, &w.state)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the state of the witness: %w", err)
	}
	if w.state.URL != w.URL {
		return fmt.Errorf("%s is the state for %s: use another file for %s", w.File, w.state.URL, w.URL)
	}
	if w.Trust != "" && w.state.Key != "" && w.state.Key != w.Trust {
		return fmt.Errorf("the server's key was %s before", w.state.Key)
	}
	if w.state.Logs == nil {
		w.state.Logs = map[string]*Seen{}
	}
	w.trees = map[string]transparency.Tree{}
	for origin, seen := range w.state.Logs {
		var tree transparency.Tree
		for _, text := range seen.Leaves {
			l, err := transparency.ParseLeaf(text)
			if err != nil {
				return fmt.Errorf("the state of the witness: %w", err)
			}
			tree = tree.Append(l)
		}
		w.trees[origin] = tree
	}
	return nil
}

// Look fetches the newest checkpoint, checks it, cosigns it and sends the cosignature. A *ForkError means that the
// server contradicts itself; anything else may pass.
func (w *Witness) Look(ctx context.Context) error {
	if err := w.pin(ctx); err != nil {
		return err
	}
	key, err := note.NewVerifier(w.state.Key)
	if err != nil {
		return fmt.Errorf("the server's key: %w", err)
	}
	text, err := w.get(ctx, "checkpoint")
	if err != nil {
		return err
	}
	told, err := transparency.OpenCheckpoint(string(text), key)
	if err != nil {
		return fmt.Errorf("%w; the key was %s before", err, w.state.Key)
	}
	if err := w.follow(ctx, told, string(text), key); err != nil {
		return err
	}
	if transparency.Cosignatures(string(text))[w.Key.Name()] != "" {
		return nil
	}
	line := w.Key.Cosign(told, w.Now().Unix())
	if err := w.send(ctx, fmt.Sprintf("%s\n%d\n%s", w.Key.Witness, told.N, line)); err != nil {
		return err
	}
	fmt.Fprintf(w.Out, "cosigned %d leaves, root %s\n", told.N, told.Hash)
	return nil
}

// pin stores the server's key at the first use.
func (w *Witness) pin(ctx context.Context) error {
	if w.state.Key != "" {
		return nil
	}
	key := w.Trust
	if key == "" {
		text, err := w.get(ctx, "key")
		if err != nil {
			return err
		}
		key, _, _ = strings.Cut(string(text), "\n")
		fmt.Fprintf(w.Out, "the server's key, trusted from now on: %s\n", key)
	}
	w.state.Key = key
	return w.store()
}

// follow checks a checkpoint against all leaves and stores it.
func (w *Witness) follow(ctx context.Context, told transparency.Checkpoint, text string, key note.Verifier) error {
	seen, tree := w.state.Logs[told.Origin], w.trees[told.Origin]
	if seen == nil {
		seen = &Seen{}
	} else if known, err := transparency.OpenCheckpoint(seen.Checkpoint, key); err != nil {
		return err
	} else if told.N < known.N {
		// Another node may serve an older one, but the tree of that size must be the one that is known.
		if root, err := tree.Root(told.N); err == nil && root == told.Hash {
			return errors.New("the server showed an older checkpoint")
		}
		return w.forked(ctx, seen, text, tree, told)
	}
	leaves, err := w.leaves(ctx, tree.Size(), told.N)
	if err != nil {
		return err
	}
	longer := tree.Append(leaves...)
	if longer.Head() != told.Tree {
		return w.forked(ctx, seen, text, tree, told)
	}
	if err := w.checkStart(told, text, longer, leaves); err != nil {
		return err
	}
	for _, l := range leaves {
		seen.Leaves = append(seen.Leaves, l.String())
	}
	body, _, _ := strings.Cut(text, "\n\n")
	if len(leaves) == 0 && strings.HasPrefix(seen.Checkpoint, body+"\n\n") {
		return nil // known, and stored
	}
	seen.Checkpoint = text
	w.state.Logs[told.Origin], w.state.Newest, w.trees[told.Origin] = seen, told.Origin, longer
	if err := w.store(); err != nil {
		return errors.Join(err, w.Open()) // forget what is not stored
	}
	return nil
}

// checkStart checks that a new log refers to the earlier one that the witness knows. After an older copy of the
// database was restored, the reference is to fewer leaves than the witness has.
func (w *Witness) checkStart(told transparency.Checkpoint, text string, tree transparency.Tree,
	leaves []transparency.Leaf) error {
	before := w.state.Logs[w.state.Newest]
	if before == nil || w.state.Logs[told.Origin] != nil {
		return nil
	}
	earlier := w.trees[w.state.Newest]
	if len(leaves) > 0 && leaves[0].Kind == transparency.KindLog {
		if root, err := earlier.Root(leaves[0].Of); err == nil && hex.EncodeToString(root[:]) == leaves[0].Hash {
			fmt.Fprintf(w.Out, "WARNING: a copy of the server's database was restored. The log starts again as %s; "+
				"%d of %d leaves of the earlier log were kept\n", told.Origin, leaves[0].Of, earlier.Size())
			return nil
		}
	}
	return w.evidence(before.Checkpoint, text,
		"the log "+told.Origin+" does not continue the earlier log "+w.state.Newest)
}

// forked names the first leaf that differs, and keeps the evidence.
func (w *Witness) forked(ctx context.Context, seen *Seen, text string, tree transparency.Tree,
	told transparency.Checkpoint) error {
	what := fmt.Sprintf("the tree of %d leaves does not continue that of %d leaves", told.N, tree.Size())
	all, err := w.leaves(ctx, 0, told.N)
	for i := 0; err == nil && i < min(len(all), len(seen.Leaves)); i++ {
		if now := all[i]; now.String() != seen.Leaves[i] {
			what = fmt.Sprintf("leaf %d was %q and is %q (%s)", i, seen.Leaves[i], now, now.Fact())
			break
		}
	}
	return w.evidence(seen.Checkpoint, text, what)
}

// evidence writes both checkpoints to a file.
func (w *Witness) evidence(known, told, what string) error {
	e := &ForkError{Evidence: w.File + ".fork.json", Known: known, Told: told, What: what}
	text, err := json.MarshalIndent(map[string]string{"known": known, "told": told, "what": what, "key": w.state.Key,
		"url": w.URL}, "", " ")
	if err == nil {
		err = writeDurably(e.Evidence, append(text, '\n'))
	}
	return errors.Join(e, err)
}

// leaves downloads the leaves from from to before until.
func (w *Witness) leaves(ctx context.Context, from, until int64) (all []transparency.Leaf, err error) {
	for n := from / transparency.TileWidth; n*transparency.TileWidth < until; n++ {
		data, err := w.get(ctx, "tile/"+transparency.TileAddress(n, until))
		if err != nil {
			return nil, err
		}
		bundle, err := transparency.ParseBundle(data)
		if err != nil {
			return nil, err
		}
		skip := max(0, from-n*transparency.TileWidth)
		if int64(len(bundle)) < skip {
			return nil, errors.New("the server's bundle is too short")
		}
		all = append(all, bundle[skip:]...)
	}
	return all, nil
}

// client gives up on a server that does not respond.
var client = &http.Client{Timeout: 20 * time.Second}

const bodyMost = 1 << 20

func (w *Witness) get(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/log/"+path, nil)
	if err != nil {
		return nil, err
	}
	return exchange(req)
}

func (w *Witness) send(ctx context.Context, text string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL+"/log/cosignature", strings.NewReader(text))
	if err == nil {
		req.Header.Set("Content-Type", "text/plain")
		_, err = exchange(req)
	}
	return err
}

func exchange(req *http.Request) ([]byte, error) {
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, bodyMost))
	if err == nil && res.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s", req.Method, req.URL, res.Status)
	}
	return body, err
}

// store writes the state so that it survives a power cut.
func (w *Witness) store() error {
	text, err := json.MarshalIndent(w.state, "", " ")
	if err != nil {
		return err
	}
	return writeDurably(w.File, append(text, '\n'))
}

// writeDurably replaces a file at once, and returns once it is on the disk.
func writeDurably(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // Windows cannot, and does not need it
		_ = dir.Close()
	}
	return nil
}
