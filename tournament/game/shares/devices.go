package shares

import (
	"context"
	"crypto/sha256"
	"fmt"

	"meldhall/engine/shuffle"
)

// Devices simulates the devices at tables where bots play. Key makes their nonces unpredictable, or repeatable.
type Devices struct {
	Keeper *Keeper
	Key    string
}

// Serve sends everything that the devices at a table are asked for.
func (d Devices) Serve(ctx context.Context, t Table) error {
	for range 2 { // the nonces are asked for after the last hash
		for at := range t.Players {
			ask, err := d.Keeper.Ask(ctx, t, at)
			if err != nil {
				return err
			}
			root := shuffle.Value(sha256.Sum256(fmt.Appendf(nil, "%s %d %d", d.Key, t.Game, at)))
			value := shuffle.Nonce(t.Game, at, root, ask.Deal)
			var sent Sent
			switch {
			case ask.Deal == 0 && ask.Sent < 0:
				sent = Sent{Hash: &value}
			case ask.Deal > ask.Sent && ask.Sent >= 0 && *ask.Hashes[at] == shuffle.Nonce(t.Game, at, root, 0):
				sent = Sent{Deal: ask.Deal, Nonce: &value}
			default:
				continue
			}
			if _, err := d.Keeper.Send(ctx, t, at, sent); err != nil {
				return err
			}
		}
	}
	return nil
}
