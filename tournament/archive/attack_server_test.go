package archive

import (
	"crypto/rand"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
	"meldhall/tournament/transparency"
)

// scratchDesk returns a desk over a database that the test serves, whose commits do not wait for the disk.
func scratchDesk(t *testing.T) *action.Desk {
	t.Helper()
	db, err := store.OpenAlone(storetest.At(t))
	if err == nil {
		_, err = db.WriteSQL.Exec("PRAGMA synchronous = off")
	}
	if err != nil {
		t.Fatal(err)
	}
	log := game.OpenLog(db)
	games := result.NewGames(db, log)
	t.Cleanup(func() {
		games.Close()
		log.Close()
		_ = db.Close()
	})
	return action.NewDesk(db, games)
}

// shareKey takes the server's key and the log's name from the true event, which the forger has, or makes them.
func (p *played) shareKey() {
	p.t.Helper()
	if p.honest == nil {
		secret, _, err := note.GenerateKey(rand.Reader, "meldhall/SERVER")
		if err != nil {
			p.t.Fatal(err)
		}
		p.secretKey, p.origin = secret, transparency.OriginOf("meldhall/SERVER", p.event.ID, "LOG")
	} else {
		p.secretKey, p.origin = p.honest.secretKey, p.honest.origin
	}
	_, err := p.DB.WriteSQL.Exec("INSERT INTO log_keys (id, secret, signed) VALUES (1, $1, 0)", p.secretKey)
	if err == nil {
		_, err = p.DB.WriteSQL.Exec("INSERT INTO logs (tournament_id, epoch, origin) VALUES ($1, $2, $3)", p.event.ID,
			p.DB.Epoch.Name, p.origin)
	}
	if err == nil {
		p.server, err = p.log.Key(p.t.Context())
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// archived returns the archive of the event as Of makes it, but faster.
func (p *played) archived() *Archive {
	p.t.Helper()
	ctx := p.t.Context()
	c := collecting{a: &Archive{files: map[string][]byte{}}}
	_, err := p.log.Step(ctx, p.event.ID)
	if err == nil {
		err = p.DB.Snapshot(ctx, func(db *gorm.DB) error { return c.read(db, p.event.ID) })
	}
	if err == nil {
		err = c.derive(ctx, p.DB)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	c.seal()
	return c.a
}

// look appends to the log, unless the operator waits with that until there is no witness to see it. The witness then
// looks at it, unless the operator keeps this log back.
func (p *played) look() {
	p.t.Helper()
	ctx, id := p.t.Context(), p.event.ID
	if p.followed && !p.watched {
		return
	}
	if _, err := p.log.Step(ctx, id); err != nil {
		p.t.Fatal(err)
	}
	if p.honest != nil && !p.followed {
		return
	}
	signed, err := p.log.Checkpoint(ctx, id)
	if err != nil {
		p.t.Fatal(err)
	}
	key, err := note.NewVerifier(p.server)
	if err != nil {
		p.t.Fatal(err)
	}
	c, err := transparency.OpenCheckpoint(signed.Note, key)
	if err != nil {
		p.t.Fatal(err)
	}
	leaves, err := p.log.Leaves(ctx, id, 0, c.N)
	if err != nil {
		p.t.Fatal(err)
	}
	kept := Kept{Checkpoint: signed.Note}
	for _, l := range leaves {
		kept.Leaves = append(kept.Leaves, l.String())
	}
	if err := p.log.Cosign(ctx, id, fmt.Sprintf("%s\n%d\n%s", p.witness.Witness, c.N,
		p.witness.Cosign(c, p.now.Unix()))); err != nil {
		p.t.Fatal(err)
	}
	p.looks = append(p.looks, kept)
}
