package archive

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"meldhall/engine/exact"
	"meldhall/tournament/transparency"
)

// Kept is what a witness keeps of a log: the newest checkpoint, and all its leaves.
type Kept struct {
	Checkpoint string
	Leaves     []string
}

// Continues compares a verified archive with what a witness has kept of the logs of the event, by origin. The error
// joins a Fault that the archive is older, or has another history, with one for each fact of the archive that
// contradicts the leaves.
func (a *Archive) Continues(logs map[string]Kept) error {
	fault := func(format string, args ...any) error { return &Fault{logName, fmt.Sprintf(format, args...)} }
	var file logFile
	if err := exact.Unmarshal(a.files[logName], &file); err != nil || len(file.Checkpoints) == 0 {
		return fault("there is no transparency log that the witness could have seen")
	}
	key, err := note.NewVerifier(file.Key)
	if err != nil {
		return fault("the server's key: %v", err)
	}
	last, err := transparency.OpenCheckpoint(file.Checkpoints[len(file.Checkpoints)-1].Note, key)
	if err != nil {
		return fault("%v", err)
	}
	kept, known := logs[last.Origin]
	if !known {
		return fault("the witness has not seen the log %s", last.Origin)
	}
	seen, err := transparency.OpenCheckpoint(kept.Checkpoint, key)
	if err != nil {
		return fault("the checkpoint of the witness: %v", err)
	}
	tree, own, err := treeOf(file.Leaves)
	if err != nil {
		return fault("%v", err)
	}
	root, err := tree.Root(seen.N)
	switch {
	case err != nil && kept.begins(own):
		err = fault("the archive is older than what the witness has seen: it has %d leaves, the witness has seen %d",
			tree.Size(), seen.N)
	case err != nil, root != seen.Hash:
		err = fault("two histories: the first %d leaves are not those that the witness has seen", seen.N)
	default:
		return nil
	}
	return errors.Join(err, a.contradictions(own, kept))
}

// begins reports whether the log may have begun with these leaves.
func (k Kept) begins(leaves []transparency.Leaf) bool {
	for i, l := range leaves[:min(len(leaves), len(k.Leaves))] {
		if k.Leaves[i] != l.String() {
			return false
		}
	}
	return true
}

// treeOf reads leaves.
func treeOf(texts []string) (tree transparency.Tree, leaves []transparency.Leaf, err error) {
	for _, text := range texts {
		l, err := transparency.ParseLeaf(text)
		if err != nil {
			return tree, nil, err
		}
		leaves = append(leaves, l)
	}
	return tree.Append(leaves...), leaves, nil
}

// contradictions joins a Fault for each fact of the archive that the kept leaves contradict. Of the records only the
// first is named, because the hashes of all later ones depend on it. own are the archive's leaves.
func (a *Archive) contradictions(own []transparency.Leaf, kept Kept) error {
	seen, leaves, err := treeOf(kept.Leaves)
	if err != nil {
		return &Fault{logName, err.Error()}
	}
	if seen.Size() == 0 {
		return nil
	}
	all, err := a.rows()
	if err != nil {
		return err
	}
	c := newChecking(a, all)
	if err := c.collect(all); err != nil {
		return err
	}
	records, ended := false, map[int64]bool{}
	for _, l := range leaves {
		bare := l
		bare.Hash = ""
		fact, known := c.facts[bare]
		delete(c.facts, bare)
		_, leftOut := c.absent[l.Of]
		inGame := l.Kind != transparency.KindRecord && l.Kind != transparency.KindStandings
		ended[l.Of] = ended[l.Of] || l.Kind == transparency.KindGame
		switch {
		case l.Kind == transparency.KindLog, slices.Contains(own, l), known && fact.hash == l.Hash,
			!known && leftOut && inGame, l.Kind == transparency.KindRecord && records:
		case known:
			c.fault(fact.file, "%s%s is not the one that the witness has seen", l.Fact(), fact.place())
			records = records || l.Kind == transparency.KindRecord
		default:
			c.fault(logName, "%s was seen by the witness, and is not in the archive", l.Fact())
			records = records || l.Kind == transparency.KindRecord
		}
	}
	for _, l := range slices.SortedFunc(maps.Keys(c.facts), compareLeaves) {
		if l.Kind != transparency.KindRecord && ended[l.Of] {
			c.fault(c.facts[l].file, "%s%s was not seen by the witness, but the end of this game was", l.Fact(),
				c.facts[l].place())
		}
	}
	return errors.Join(c.faults...)
}
