package archive

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"meldhall/tournament/transparency"
)

// checkSignatures checks the signatures of all checkpoints, and that they are those of the tree.
func (c *checkingLog) checkSignatures(file logFile) {
	key, err := note.NewVerifier(file.Key)
	if err != nil || len(file.Checkpoints) == 0 {
		c.fault(logName, "it has no key or no checkpoint")
		return
	}
	var last transparency.Checkpoint
	for i, signed := range slices.Backward(file.Checkpoints) {
		at, err := transparency.OpenCheckpoint(signed.Note, key)
		if err != nil {
			c.fault(logName, "checkpoint %d: %v", i+1, err)
			continue
		}
		c.checkCosignatures(at, signed)
		if last.Origin == "" {
			last = at
			if own := transparency.OriginOf(key.Name(), c.event, ""); !strings.HasPrefix(at.Origin, own) {
				c.fault(logName, "the log %s is not that of event %d", at.Origin, c.event)
			}
			if at.N != c.tree.Size() {
				c.fault(logName, "there are %d leaves, the newest checkpoint is of %d", c.tree.Size(), at.N)
			}
		}
		if at.Origin != last.Origin && i == 0 {
			c.checkEarlier(at)
		} else if root, err := c.tree.Root(at.N); err != nil || root != at.Hash || at.Origin != last.Origin {
			c.fault(logName, "the leaves are not those of the signed checkpoint of %d leaves: "+
				"one was changed, added or removed", at.N)
		}
	}
}

// checkEarlier compares the first leaf with the checkpoint of the earlier log that it refers to.
func (c *checkingLog) checkEarlier(at transparency.Checkpoint) {
	want := transparency.Leaf{Kind: transparency.KindLog, Of: at.N, Hash: hex.EncodeToString(at.Hash[:])}
	if len(c.leaves) == 0 || c.leaves[0] != want {
		c.fault(logName, "the log does not start with a reference to the earlier log %s", at.Origin)
		return
	}
	c.a.Notes = append(c.a.Notes, fmt.Sprintf("the log started again after a copy of the database was restored; "+
		"the earlier log %s had %d leaves", at.Origin, at.N))
}

// checkCosignatures checks the signatures of the witnesses under a checkpoint. Whether a reader trusts them is another
// question.
func (c *checkingLog) checkCosignatures(at transparency.Checkpoint, signed logCheckpoint) {
	_, after, _ := strings.Cut(signed.Note, "\n\n")
	lines := slices.Collect(strings.Lines(after))
	if len(lines) != 1+len(signed.Witnesses) {
		c.fault(logName, "the checkpoint of %d leaves has %d signatures and %d witnesses", at.N, len(lines),
			len(signed.Witnesses))
		return
	}
	for i, vkey := range signed.Witnesses {
		w, err := transparency.ParseWitness(vkey)
		if err == nil {
			_, err = at.CheckCosignature(lines[i+1], w)
		}
		if err != nil {
			c.fault(logName, "the checkpoint of %d leaves, witness %d: %v", at.N, i+1, err)
		}
	}
}
