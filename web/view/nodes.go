package view

import (
	"context"
	"slices"
	"strings"

	"meldhall/templates/locale"
	"meldhall/tournament/store"
)

// clockApart is the smallest deviation of a node's clock, in ms, that officials are warned about.
const clockApart = 60_000

// NodesSaid returns warnings for officials about the nodes that share the database; nil if there are none.
func (s *Reader) NodesSaid(ctx context.Context) (said []string) {
	all := s.Cluster.Nodes()
	say := func(key string, values ...any) { said = append(said, locale.T(ctx, key, values...)) }
	if slices.ContainsFunc(all, func(n store.Node) bool { return !n.Hears }) {
		say("nodes.unheard")
	}
	if list, differ := ofAll(all, func(n store.Node) string { return n.Version }); differ {
		say("nodes.versions", "list", list)
	}
	if list, differ := ofAll(all, func(n store.Node) string { return n.Presets }); differ {
		say("nodes.presets", "list", list)
	}
	for _, n := range all {
		if off := max(n.Apart, -n.Apart); off > clockApart {
			say("nodes.clock", "name", locale.Isolate(n.Name), "minutes", (off+clockApart/2)/clockApart)
		}
	}
	return said
}

// ofAll lists a value of each node and reports whether the values differ.
func ofAll(all []store.Node, of func(store.Node) string) (list string, differ bool) {
	each := make([]string, len(all))
	for i, n := range all {
		each[i] = locale.Isolate(n.Name) + ": " + of(n)
		differ = differ || of(n) != of(all[0])
	}
	return strings.Join(each, ", "), differ
}
