package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/exact"
	"meldhall/engine/shuffle"
	"meldhall/tournament/export"
	"meldhall/tournament/transparency"
	"meldhall/tournament/transparency/sequencer"
)

// lateMost is how much later than its fact a leaf may be appended, and how much older than the newest checkpoint a fact
// without a leaf may be. The sequencer appends within a minute.
const lateMost = engine.Millis(5 * 60_000)

// notYet ends the note about a fact without a leaf.
const notYet = " is not in the log yet"

// logFile is the transparency log of a tournament: the server's key, the newest checkpoint of the log and the newest
// ones that each witness has cosigned, and the leaves. If the first leaf refers to an earlier log, a checkpoint of that
// one comes first.
type logFile struct {
	Key         string          `json:"key"`
	Checkpoints []logCheckpoint `json:"checkpoints"`
	Leaves      []string        `json:"leaves"`
}

// logCheckpoint is a signed checkpoint with its cosignatures. Witnesses are the keys of the witnesses.
type logCheckpoint struct {
	Note      string        `json:"note"`
	At        engine.Millis `json:"at"`
	Witnesses []string      `json:"witnesses"`
}

// readLog adds the tournament's transparency log, if there is one.
func (c *collecting) readLog(db *gorm.DB) error {
	w, found, err := sequencer.WholeIn(db, c.event.ID)
	if err != nil || !found {
		return err
	}
	file := logFile{Key: w.Key}
	for _, s := range w.Checkpoints {
		file.Checkpoints = append(file.Checkpoints, logCheckpoint{s.Note, s.At, s.Witnesses})
	}
	for _, l := range w.Leaves {
		file.Leaves = append(file.Leaves, l.String())
	}
	text, err := json.MarshalIndent(file, "", " ")
	c.a.files[logName] = append(text, '\n')
	return err
}

// loggedFact is a fact of an archive that must be in the log. Hash is empty if the archive does not have it.
type loggedFact struct {
	hash string
	at   engine.Millis
	file string
	turn int    // 0: none
	kind string // of a record
}

// checkingLog is a log being compared with the facts of its archive.
type checkingLog struct {
	a      *Archive
	event  int64
	tree   transparency.Tree
	leaves []transparency.Leaf
	facts  map[transparency.Leaf]loggedFact // by leaf without its hash
	absent map[int64]LeftOut
	faults []error

	shuffles  committing
	published transparency.Leaf // the newest standings in the log
	newest    engine.Millis     // time of the newest fact
	signed    engine.Millis     // time of the newest checkpoint
}

func (c *checkingLog) fault(file, format string, args ...any) {
	c.faults = append(c.faults, &Fault{file, fmt.Sprintf(format, args...)})
}

func newChecking(a *Archive, all map[string]rows) *checkingLog {
	c := &checkingLog{a: a, event: recordsOf(all).of.Event, shuffles: newCommitting(),
		facts: map[transparency.Leaf]loggedFact{}, absent: map[int64]LeftOut{}}
	for _, left := range a.Manifest.LeftOut {
		c.absent[left.Game] = left
	}
	return c
}

// checkLog compares the transparency log with the facts, and checks its signatures. It returns nil without a log. The
// caller compares the published standings and reports the faults.
func (a *Archive) checkLog(all map[string]rows) *checkingLog {
	if a.files[logName] == nil {
		a.Notes = append(a.Notes, "there is no transparency log: no witness can have seen this event")
		return nil
	}
	c := newChecking(a, all)
	var file logFile
	err := exact.Unmarshal(a.files[logName], &file)
	for i := 0; err == nil && i < len(file.Leaves); i++ {
		var l transparency.Leaf
		l, err = transparency.ParseLeaf(file.Leaves[i])
		c.leaves = append(c.leaves, l)
	}
	if err != nil {
		c.fault(logName, "%v", err)
		return c
	}
	c.tree = c.tree.Append(c.leaves...)
	c.checkSignatures(file)
	if err := c.collect(all); err != nil {
		c.faults = append(c.faults, err)
		return c
	}
	c.compare()
	if n := len(file.Checkpoints); n > 0 {
		c.signed = file.Checkpoints[n-1].At
		c.missing()
	}
	return c
}

// collect collects the facts that must be in the log.
func (c *checkingLog) collect(all map[string]rows) error {
	var records recordChain
	records.of.Event = c.event
	audit := partNamed("audit")
	at, kind := slices.Index(audit.carry, "at"), slices.Index(audit.carry, "action")
	for i, row := range all[audit.table] {
		when, _ := row[at].(int64)
		c.facts[transparency.Leaf{Kind: transparency.KindRecord, Of: int64(i) + 1}] =
			loggedFact{hash: records.add(audit, row), at: engine.Millis(when), file: actionsName,
				kind: fmt.Sprint(row[kind])}
	}
	for _, name := range c.a.gameFiles() {
		g, err := c.a.game(name)
		if err != nil {
			return err
		}
		if err := c.collectGame(name, g); err != nil {
			return &Fault{name, err.Error()}
		}
	}
	return nil
}

func (c *checkingLog) collectGame(file string, g export.Game) error {
	turn := 0
	for i, hash := range g.Chain() {
		e := g.Events[i]
		var said struct {
			Commitment string
			Deal       struct{ Joint *shuffle.Joint }
			Turn       struct{ Number int }
		}
		if err := json.Unmarshal(e.Data, &said); err != nil {
			return err
		}
		add := func(kind transparency.Kind, hash string) {
			c.facts[transparency.Leaf{Kind: kind, Of: g.Game, Seq: e.Seq}] = loggedFact{hash: hash, at: e.At, file: file,
				turn: turn}
		}
		if e.Kind == dealt {
			c.shuffles.expects(g, said.Deal.Joint)
			add(transparency.KindDeal, said.Commitment)
		}
		if slices.Contains(ruledIn, e.Kind) {
			add(transparency.KindRuling, hash)
		}
		if i == len(g.Events)-1 {
			turn = 0
			add(transparency.KindGame, hash)
		}
		turn = cmp.Or(said.Turn.Number, turn)
	}
	return nil
}

var (
	dealt   = engine.TilesDealt{}.Kind()
	ruledIn = engine.RulingEvents(func(engine.RulingKind) bool { return true })
)

// compare compares each leaf with its fact, and the order of the leaves with the times of the facts.
func (c *checkingLog) compare() {
	for _, fact := range c.facts {
		c.newest = max(c.newest, fact.at)
	}
	newest, elsewhere, seen := engine.Millis(0), 0, map[transparency.Leaf]bool{}
	for i, l := range c.leaves {
		bare := l
		bare.Hash = ""
		fact, known := c.facts[bare]
		left, absent := c.absent[l.Of]
		c.commits(l)
		switch inGame := l.Seq > 0; {
		case seen[bare]:
			c.fault(logName, "leaf %d: %s is in the log twice", i, l.Fact())
		case l.Kind == transparency.KindLog && i == 0, l.Kind == transparency.KindShuffle:
		case l.Kind == transparency.KindStandings && l.Of == c.published.Of+1:
			c.published = l
		case !known && inGame && absent:
			elsewhere++ // the archive does not have the game's log
			if l.Kind == transparency.KindGame && left.Head != "" && left.Head != l.Hash {
				c.fault(manifestName, "%s has another hash in the log", l.Fact())
			}
		case !known && inGame:
			c.fault(gameName(l.Of), "%s is in the log, but not in the archive", l.Fact())
		case !known:
			c.fault(actionsName, "%s is in the log, but not in the archive", l.Fact())
		case fact.hash != l.Hash:
			c.fault(fact.file, "%s%s is not the one in the log", l.Fact(), fact.place())
		case fact.at < newest-lateMost:
			c.fault(fact.file, "%s%s was logged %d minutes after its time", l.Fact(), fact.place(),
				(newest-fact.at)/60_000)
		}
		newest = max(newest, fact.at)
		seen[bare] = true
		delete(c.facts, bare)
	}
	if elsewhere > 0 {
		c.a.Notes = append(c.a.Notes, fmt.Sprintf("%d leaves of the log are about games that were left out", elsewhere))
	}
}

// place names the turn of a fact, or the kind of a record.
func (f loggedFact) place() string {
	switch {
	case f.turn != 0:
		return fmt.Sprintf(" (turn %d)", f.turn)
	case f.kind != "":
		return fmt.Sprintf(" (%s)", f.kind)
	}
	return ""
}

// missing reports the facts without a leaf. Those that are newer than the last checkpoint are only noted, unless the
// log has other faults.
func (c *checkingLog) missing() {
	left := slices.SortedFunc(maps.Keys(c.facts), compareLeaves)
	faulty := len(c.faults) > 0
	for _, l := range left {
		if fact := c.facts[l]; faulty || fact.at < c.signed-lateMost {
			c.fault(fact.file, "%s%s is not in the log", l.Fact(), fact.place())
		} else {
			c.a.Notes = append(c.a.Notes, l.Fact()+fact.place()+notYet)
		}
	}
}

// compareLeaves orders leaves by their kinds and numbers.
func compareLeaves(a, b transparency.Leaf) int {
	return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), cmp.Compare(a.Of, b.Of), cmp.Compare(a.Seq, b.Seq))
}
