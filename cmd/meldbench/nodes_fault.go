package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nodesFault is a source change that introduces a fault.
type nodesFault struct{ file, is, becomes string }

// nodesFaults are the faults that meldbench nodes must find.
var nodesFaults = map[string]nodesFault{
	// The keys of players' commands are not stored: a repeated command is done again.
	"keys": {"web/request/command.go", `SubmitSigned(c.Request.Context(), me, id, key, signature(c), cmd)`,
		`SubmitSigned(c.Request.Context(), me, id, "", signature(c), cmd)`},
	// A command is acknowledged, and its state shown, before it is committed.
	"early": {"tournament/game/play.go", `	err := r.games.Log.Append(ctx, `, `	err := error(nil)
	go r.games.Log.Append(context.WithoutCancel(ctx), `},
	// An event that another node wrote with the same seq or key is mistaken for this node's own.
	"taken": {"tournament/game/log.go", `return ErrClash, nil`, `return nil, nil`},
	// A command is refused without reading what other nodes have written.
	"stale": {"tournament/game/play.go", `moved, lost := r.newer(ctx);`, `moved, lost := false, error(nil);`},
	// A lost hint is not made up for by reading the log.
	"unhealed": {"tournament/game/cluster/hints.go", `err := c.LookElsewhere(ctx);`, `err := error(nil);`},
	// A spectator is shown a player's rack.
	"open": {"engine/view.go", `	if viewer < 0 || viewer >= s.Seats {
		return
	}
	v.Rack = `, `	viewer = min(max(viewer, 0), s.Seats-1)
	v.Rack = `},
}

// nodesFaultNames lists their names, for the help text.
func nodesFaultNames() string {
	return strings.Join(slices.Sorted(maps.Keys(nodesFaults)), ", ")
}

// faultyProgram writes into dir an overlay that makes go build introduce a fault, and returns the overlay's file name.
func faultyProgram(ctx context.Context, dir, name string) (overlay string, err error) {
	fault, known := nodesFaults[name]
	if !known {
		return "", fmt.Errorf("nodes: unknown fault %q; the faults are %s", name, nodesFaultNames())
	}
	root, err := run(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "meldhall")
	if err != nil {
		return "", fmt.Errorf("nodes: run this in a checkout: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(root), filepath.FromSlash(fault.file))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), fault.is); n != 1 {
		return "", fmt.Errorf("nodes: fault %q: its source line occurs %d times in %s, want 1", name, n, fault.file)
	}
	return overlaid(dir, source, strings.Replace(string(text), fault.is, fault.becomes, 1))
}

// overlaid writes into dir an overlay that makes go build use another text for a source file, and returns its file
// name.
func overlaid(dir, source, text string) (list string, err error) {
	other := filepath.Join(dir, "overlaid.go")
	if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
		return "", err
	}
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {source: other}})
	if err != nil {
		return "", err
	}
	list = filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, replaced, 0o600)
}
