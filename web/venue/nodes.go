package venue

import (
	"context"
	"slices"
	"strings"

	"meldhall/templates"
	"meldhall/tournament/storage"
)

// clockApart is by how many ms the clock of a machine may be off before it is said.
const clockApart = 60_000

// NodesSaid is what officials have to know of the programs that serve the database together; nothing where one serves it alone.
func (s *Venue) NodesSaid(ctx context.Context) (said []string) {
	all := s.Games.Nodes()
	say := func(key string, values ...any) { said = append(said, templates.T(ctx, key, values...)) }
	if slices.ContainsFunc(all, func(n storage.Node) bool { return !n.Hears }) {
		say("house.unheard")
	}
	if list, differ := ofAll(all, func(n storage.Node) string { return n.Version }); differ {
		say("house.versions", "list", list)
	}
	if list, differ := ofAll(all, func(n storage.Node) string { return n.Presets }); differ {
		say("house.presets", "list", list)
	}
	for _, n := range all {
		if off := max(n.Apart, -n.Apart); off > clockApart {
			say("house.clock", "name", templates.Isolate(n.Name), "minutes", (off+clockApart/2)/clockApart)
		}
	}
	return said
}

// ofAll lists what each program has, and tells whether they differ.
func ofAll(all []storage.Node, of func(storage.Node) string) (list string, differ bool) {
	each := make([]string, len(all))
	for i, n := range all {
		each[i] = templates.Isolate(n.Name) + ": " + of(n)
		differ = differ || of(n) != of(all[0])
	}
	return strings.Join(each, ", "), differ
}
