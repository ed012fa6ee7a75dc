package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// nodesFault is a change of one of the program's files by which it does wrong.
type nodesFault struct{ file, is, becomes string }

// nodesFaults are those that meldbench nodes must find.
var nodesFaults = map[string]nodesFault{
	// The keys of players' commands are not kept: one that comes again is another one.
	"keys": {"web/shell/command.go", `Submit(c.Request.Context(), me, id, key, cmd)`, `Submit(c.Request.Context(), me, id, "", cmd)`},
	// A command is answered, and its state shown, before it is committed.
	"early": {"tournament/game/play.go", `	err := g.log.Append(ctx, `, `	err := error(nil)
	go g.log.Append(context.WithoutCancel(ctx), `},
	// That another node has written a seq or a key is taken for that it was written here.
	"taken": {"tournament/game/log.go", `return ErrClash, nil`, `return nil, nil`},
	// A refusal is given without a look at what other nodes have written.
	"stale": {"tournament/game/play.go", `moved, lost := g.newer(ctx, r);`, `moved, lost := false, error(nil);`},
	// A lost hint is not healed by a look at the log.
	"unhealed": {"tournament/game/nodes.go", `err := g.LookElsewhere(ctx);`, `err := error(nil);`},
	// Who looks on is shown a player's rack.
	"open": {"engine/view.go", `	if viewer < 0 || viewer >= s.Seats {
		return
	}
	v.Rack = `, `	viewer = min(max(viewer, 0), s.Seats-1)
	v.Rack = `},
}

// nodesFaultNames are their names, for the help.
func nodesFaultNames() string {
	return strings.Join(slices.Sorted(maps.Keys(nodesFaults)), ", ")
}

// faultyProgram writes into dir what has go build make a program with a fault, and gives the file's name.
func faultyProgram(ctx context.Context, dir, name string) (overlay string, err error) {
	fault, known := nodesFaults[name]
	if !known {
		return "", fmt.Errorf("nodes: there is no fault %q, but %s", name, nodesFaultNames())
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "meldhall").Output()
	if err != nil {
		return "", fmt.Errorf("nodes: run it in a checkout: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(fault.file))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), fault.is); n != 1 {
		return "", fmt.Errorf("nodes: the fault %q changes a line that is %d times in %s", name, n, fault.file)
	}
	return overlaid(dir, source, strings.Replace(string(text), fault.is, fault.becomes, 1))
}

// overlaid writes into dir what has go build take another text for a source file, and gives the name of the list.
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
