package archive

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine/shuffle"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
	"meldhall/tournament/transparency"
	"meldhall/tournament/transparency/sequencer"
)

// committing compares the server's commitments to its shuffles with the deals. A log of an earlier program has none.
type committing struct {
	expected map[int64]string              // by game with a joint first deal, the commitment to its secret; else empty
	made     map[int64][]transparency.Leaf // by game, in the order of the log
	dealt    map[int64]bool                // games whose first deal is in the log
}

func newCommitting() committing {
	return committing{map[int64]string{}, map[int64][]transparency.Leaf{}, map[int64]bool{}}
}

// expects notes the first deal of a game.
func (c *committing) expects(g export.Game, j *shuffle.Joint) {
	if _, known := c.expected[g.Game]; known {
		return // a redeal
	}
	c.expected[g.Game] = ""
	if j != nil && j.Game == g.Game { // an imported game has another number
		c.expected[g.Game] = shuffle.Commitment(j.Game, j.Secret).String()
	}
}

// commits checks the next leaf of the log if it is about a shuffle or a deal.
func (c *checkingLog) commits(l transparency.Leaf) {
	made := c.shuffles.made[l.Of]
	switch {
	case l.Kind == transparency.KindShuffle:
		if l.Seq != len(made)+1 || c.shuffles.dealt[l.Of] {
			c.fault(logName, "%s is out of order", l.Fact())
		}
		if len(made) == 1 {
			c.a.Notes = append(c.a.Notes, fmt.Sprintf("game %d: the shuffle began again after it was committed to, as "+
				"it does if the seats change", l.Of))
		}
		c.shuffles.made[l.Of] = append(made, l)
	case l.Kind == transparency.KindDeal && !c.shuffles.dealt[l.Of]:
		c.shuffles.dealt[l.Of] = true
		want, known := c.shuffles.expected[l.Of]
		switch file := gameName(l.Of); {
		case !known || want == "" && len(made) == 0:
		case want == "":
			c.fault(file, "%s does not use the shuffle to which the server committed", l.Fact())
		case len(made) == 0 && len(c.shuffles.made) > 0:
			c.fault(file, "%s is in the log without a commitment before it", l.Fact())
		case len(made) > 0 && made[len(made)-1].Hash != want:
			c.fault(file, "%s does not follow from the commitment in the log", l.Fact())
		}
	}
}

// checkPublished compares the newest standings in the log with those that follow from the archive. s holds the
// archive's rows. Standings that are newer than the log are only noted.
func (c *checkingLog) checkPublished(ctx context.Context, s *store.DB, event int64) error {
	var p sequencer.Published
	found := false
	err := s.Snapshot(ctx, func(db *gorm.DB) (err error) {
		p, found, err = sequencer.PublishedIn(db, event, s.Millis())
		return err
	})
	switch last := c.published; {
	case err != nil || !found && last.Of == 0:
		return err
	case last.Of == 0:
		c.a.Notes = append(c.a.Notes, "the published standings are not in the log: an earlier program kept it")
	case !found || last.Hash == p.Hash() && last.Seq == p.Round:
	case c.newest >= c.signed-lateMost && len(c.faults) == 0:
		c.a.Notes = append(c.a.Notes, fmt.Sprintf("the standings after round %d", p.Round)+notYet)
	default:
		c.fault(standingsName, "the standings after round %d are not the published ones in the log", p.Round)
	}
	return nil
}

// logFaults compares the log in a database with the facts there.
func (c *collecting) logFaults(ctx context.Context, s *store.DB) ([]error, error) {
	if c.a.files[logName] == nil {
		return nil, nil
	}
	c.a.Manifest.LeftOut = c.leftOut
	log := c.a.checkLog(c.rows)
	err := log.checkPublished(ctx, s, c.event.ID)
	return log.faults, err
}
