package signing

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// Device signs commands as a tablet does. It is for programs that play, and for tests.
type Device struct{ Private ed25519.PrivateKey }

// NewDevice returns the device with the key that follows from a seed of 32 bytes.
func NewDevice(seed [ed25519.SeedSize]byte) Device { return Device{ed25519.NewKeyFromSeed(seed[:])} }

// Key returns the public key, see ParseKey.
func (d Device) Key() string {
	return base64.RawURLEncoding.EncodeToString(d.Private.Public().(ed25519.PublicKey))
}

// Sign returns a statement and its signature. The arguments are those of Statement.
func (d Device) Sign(before string, game int64, seat, seen int, history, content string) Signed {
	s := Signed{Key: d.Key(), Seen: seen, Statement: Statement(before, game, seat, seen, history, content)}
	s.Signature = base64.RawURLEncoding.EncodeToString(ed25519.Sign(d.Private, []byte(s.Statement)))
	return s
}

// ContentOf returns the content of a player's command, or "" for a command that is not signed.
func ContentOf(c engine.Command) string {
	switch c := c.(type) {
	case engine.Ready:
		return "ready"
	case engine.Play:
		return play(c.Turn, facesOf(c.Table))
	case engine.Draw:
		return fmt.Sprint("draw ", c.Turn)
	case engine.Pass:
		return fmt.Sprint("pass ", c.Turn)
	case engine.Redeal:
		return fmt.Sprint("redeal ", c.Turn)
	case engine.CallReferee:
		return "call"
	case engine.WithdrawCall:
		return "withdraw-call"
	}
	return ""
}

func facesOf(table []tile.LaidFaces) [][]tile.Face {
	faces := make([][]tile.Face, len(table))
	for i, set := range table {
		faces[i] = set.Faces
	}
	return faces
}
