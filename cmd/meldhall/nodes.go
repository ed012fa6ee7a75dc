package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"log/slog"
	"time"

	"meldhall/cmd/internal/nodes"
	"meldhall/tournament/preset"
	"meldhall/tournament/store"
)

const resumeLook = 2 * time.Second // retry interval for the bots of games taken over

// openStore opens the database, exclusively or, with --nats, as one of several nodes.
func (p *program) openStore(c serveCmd) (err error) {
	if c.NATS == "" {
		p.store, err = store.OpenAlone(c.DB)
		return err
	}
	p.store, err = store.OpenNode(c.DB)
	return err
}

// join makes this program a node of the cluster.
func (p *program) join(ctx context.Context, c serveCmd) (err error) {
	if c.NATS == "" {
		return nil
	}
	store, desk, seats := p.store, p.desk, p.web.View.Presence
	p.hints, err = nodes.Dial(c.NATS, store.Nodes.Name(), func(yes bool) { // catch up on missed hints
		store.Nodes.Hears(yes)
		seats.Hears(yes)
		desk.LookSoon()
		p.cluster.BeatSoon()
	})
	if err != nil {
		return err
	}
	if err := p.hints.Exchange(p.desk, p.cluster, p.web.View.Presence, p.web.View.Attention,
		p.web.View.Pointing); err != nil {
		return err
	}
	p.watched.WatchNodes(p.cluster, p.hints.Figures)
	return p.store.Nodes.Join(ctx, version(), presetsMark(p.presets, localesOf(c.Presets)))
}

// presetsMark returns a hash of the rules, formats and texts, by which nodes detect that theirs differ.
func presetsMark(presets preset.Library, locales fs.FS) string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(presets)
	if locales != nil {
		_ = fs.WalkDir(locales, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(locales, name)
			_, _ = sum.Write(append([]byte(name+"\x00"), text...))
			return err
		})
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// beatNode runs the background work that only a node has, until ctx ends.
func (p *program) beatNode(ctx context.Context) {
	p.beats.Go(func() { p.cluster.Follow(ctx) })
	p.beats.Go(func() { p.web.View.Presence.ShareListeners(ctx) })
	p.beats.Go(func() {
		for {
			if err := p.web.ResumePractice(ctx); err != nil && ctx.Err() == nil {
				slog.Error("starting the bots of taken-over games failed", "err", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(resumeLook):
			}
		}
	})
}

// handOver hands this node's background work to the other nodes before it stops.
func (p *program) handOver(ctx context.Context) error {
	p.beats.Wait()
	err := p.cluster.HandOver(ctx)
	p.hints.Told()
	return err
}
