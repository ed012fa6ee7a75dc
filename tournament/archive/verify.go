package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// Fault is an error found in an archive: the file and the description.
type Fault struct {
	File, What string
}

func (f *Fault) Error() string { return f.File + ": " + f.What }

// Checked is a replayed game.
type Checked struct {
	Game  export.Game
	State engine.State
}

// Verify recomputes everything in an archive from the archive alone: every game from its log, results from games and
// revisions, lots and promises from their seeds, meetings, and cuts and places from the results. It returns the games;
// the error joins a Fault for each contradiction.
func (a *Archive) Verify(ctx context.Context) ([]Checked, error) {
	checked, faults, err := a.replay(ctx)
	if err != nil {
		return nil, err
	}
	all, err := a.rows()
	if err != nil {
		return checked, errors.Join(append(faults, err)...)
	}
	chains, err := a.checkChains(all)
	if err != nil {
		return checked, errors.Join(append(faults, err)...)
	}
	faults = append(faults, chains...)
	log := a.checkLog(all)
	var facts Verdict
	var published error
	again, err := a.again(ctx, all, func(c *collecting, s *store.DB) {
		if facts = a.facts(ctx, s, c); log != nil {
			published = log.checkPublished(ctx, s, c.event.ID)
		}
	})
	if log != nil {
		faults = append(faults, log.faults...)
	}
	if err = errors.Join(err, published); err != nil {
		return checked, errors.Join(append(faults, err)...)
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(append(again.a.names(), a.names()...)))) {
		if name != manifestName && name != logName && !bytes.Equal(again.a.files[name], a.files[name]) {
			faults = append(faults, &Fault{name, saysOtherwise(name)})
		}
	}
	for _, fault := range facts.Faults {
		faults = append(faults, fault)
	}
	a.Notes, a.signed = append(a.Notes, facts.Notes...), facts.Signed
	return checked, errors.Join(slices.Concat(faults, again.promises(), again.lots())...)
}

// replay verifies each game from its log alone.
func (a *Archive) replay(ctx context.Context) (checked []Checked, faults []error, err error) {
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		state, err := export.Verify(g)
		if err == nil && state.Phase != engine.PhaseOver {
			err = errors.New("the log ends before the game does")
		}
		if err == nil {
			_, err = g.SignedCommands()
		}
		if err != nil {
			faults = append(faults, &Fault{name, err.Error()})
		}
		checked = append(checked, Checked{g, state})
	}
	return checked, faults, nil
}

// saysOtherwise describes the fault of a file that differs from what the rest of the archive gives.
func saysOtherwise(name string) string {
	switch name {
	case seatingName:
		return "the seating reports do not match the rounds"
	case standingsName:
		return "the places and cuts do not follow from the results"
	}
	if gameNames.MatchString(name) {
		return "the table, its players, its rules or its results differ from the other files"
	}
	return "it differs from this program's output"
}

// again loads the archive's rows (all) into a temporary database and builds another archive from that. check, if not
// nil, reads the database before it is deleted.
func (a *Archive) again(ctx context.Context, all map[string]rows,
	check func(*collecting, *store.DB)) (*collecting, error) {
	dir, err := os.MkdirTemp("", "meldhall-archive-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	open := a.open
	if open == nil {
		open = store.OpenScratch
	}
	s, err := open(filepath.Join(dir, "archive.db"))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var tournamentID int64
	err = s.Tx(ctx, func(tx *gorm.DB) (err error) {
		tournamentID, err = a.load(tx, all, renamed{})
		return err
	})
	if err != nil {
		return nil, err
	}
	c := &collecting{a: &Archive{files: map[string][]byte{}}}
	if err := s.Snapshot(ctx, func(db *gorm.DB) error { return c.read(db, tournamentID) }); err != nil {
		return nil, err
	}
	if check != nil {
		check(c, s)
	}
	return c, c.derive(ctx, s)
}

// promises returns a fault for each seed promise whose hash is not that of its text.
func (c *collecting) promises() (faults []error) {
	method, salt, hash := c.texts("seed_promises", "method"), c.texts("seed_promises", "salt"),
		c.texts("seed_promises", "hash")
	for i, row := range c.column("seed_promises", "round", "lot", "seed") {
		p := tournament.SeedPromise{Round: int(row[0]), Lot: int(row[1]), Seed: row[2], Method: method[i],
			Salt: salt[i]}
		if sum := sha256.Sum256([]byte(p.Text())); hex.EncodeToString(sum[:]) != hash[i] {
			faults = append(faults, &Fault{roundsName,
				fmt.Sprintf("the promise of round %d, lot %d is not the hash of %q", p.Round, p.Lot, p.Text())})
		}
	}
	return faults
}

// lots repeats all lots from their seeds and returns a fault for each that gives another order.
func (c *collecting) lots() (faults []error) {
	players, drawn := c.texts("lots", "players"), c.texts("lots", "drawn")
	for i, row := range c.column("lots", "stage", "seed") {
		order, err := shuffled(players[i], row[1], row[0])
		if err == nil && order != drawn[i] {
			err = fmt.Errorf("the seed draws %s, the lot says %s", order, drawn[i])
		}
		if err != nil {
			faults = append(faults, &Fault{roundsName, fmt.Sprintf("lot %d: %v", i+1, err)})
		}
	}
	return faults
}

// shuffled returns the order in which a lot draws its players.
func shuffled(players string, seed, stage int64) (string, error) {
	var order []int64
	if err := json.Unmarshal([]byte(players), &order); err != nil {
		return "", err
	}
	rand.New(rand.NewPCG(uint64(seed), uint64(stage))).Shuffle(len(order),
		func(i, j int) { order[i], order[j] = order[j], order[i] })
	data, err := json.Marshal(order)
	return string(data), err
}
