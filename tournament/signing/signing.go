// Package signing specifies how players' devices sign the commands of a game, so that anyone can later check who made a
// move: data/record/signature.md. It reads no database and no clock.
package signing

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// Signed says how the command that caused an event was signed.
type Signed struct {
	Key       string // the device's public key, see ParseKey
	Seen      int    // the seq of the last event that the device had seen
	Statement string // the hash that was signed; it covers the key's earlier commands in this game, see Statement
	Signature string // base64url, 64 bytes
}

// String returns the form in which the log keeps it; it is empty for an unsigned command.
func (s Signed) String() string {
	if s.Key == "" {
		return ""
	}
	return strings.Join([]string{s.Key, strconv.Itoa(s.Seen), s.Statement, s.Signature}, " ")
}

// Parse reads what String wrote.
func Parse(text string) (s Signed, err error) {
	if text == "" {
		return s, nil
	}
	words := strings.Split(text, " ")
	if len(words) != 4 {
		return s, fmt.Errorf("a signed command has 4 words, not %d", len(words))
	}
	s = Signed{Key: words[0], Statement: words[2], Signature: words[3]}
	s.Seen, err = strconv.Atoi(words[1])
	return s, err
}

// ParseKey returns the public key in a text: 32 bytes in base64url without padding.
func ParseKey(text string) (ed25519.PublicKey, error) {
	key, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil && len(key) != ed25519.PublicKeySize {
		err = fmt.Errorf("a key has %d bytes, not %d", ed25519.PublicKeySize, len(key))
	}
	return key, err
}

// Holds reports whether the signature is that of the key for the statement.
func (s Signed) Holds() bool {
	key, err := ParseKey(s.Key)
	if err != nil {
		return false
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(s.Signature)
	return err == nil && ed25519.Verify(key, []byte(s.Statement), signature)
}

// Statement returns what a device signs: a hash of its statement before in this game (empty for the first command), the
// game, the seat from 0, the history that it had seen, and the command's content.
func Statement(before string, game int64, seat, seen int, history, content string) string {
	return hashed("meldhall command v1", before, game, seat, seen, history, content)
}

// History returns what a device learns of the log up to an event with this hash. salt is that of the running deal,
// which is secret until the game is over: the hash alone would let a player find out by trying which tile another one drew.
func History(salt, chain string) string { return hashed("meldhall history v1", salt, chain) }

// hashed returns the SHA-256, in hex, of the texts of values, each followed by a zero byte.
func hashed(values ...any) string {
	sum := sha256.New()
	for _, v := range values {
		fmt.Fprint(sum, v)
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Content returns the command of a player that caused an event, as the device writes it. turn is the number of the turn
// before the event. ok is false for an event that no player's command causes as its first.
func Content(e engine.Event, turn int) (content string, seat int, ok bool) {
	switch e := e.(type) {
	case engine.SeatReady:
		return "ready", e.Seat, true
	case engine.TilesPlayed:
		return play(turn, e.Table.Faces()), e.Seat, true
	case engine.IllegalPlayed:
		return play(turn, facesOf(e.Table)), e.Seat, true
	case engine.TileDrawn:
		return fmt.Sprint("draw ", turn), e.Seat, true
	case engine.TurnPassed:
		return fmt.Sprint("pass ", turn), e.Seat, true
	case engine.RedealAsked:
		return fmt.Sprint("redeal ", turn), e.Seat, true
	case engine.RefereeCalled:
		return "call", e.Seat, true
	case engine.CallWithdrawn:
		return "withdraw-call", e.Seat, true
	}
	return "", 0, false
}

// play returns the content of a play. The order of its sets does not depend on where they lie.
func play(turn int, table [][]tile.Face) string {
	texts := make([]string, len(table))
	for i, set := range table {
		faces := make([]string, len(set))
		for k, f := range set {
			faces[k] = f.String()
		}
		texts[i] = strings.Join(faces, " ")
	}
	slices.Sort(texts)
	return fmt.Sprint("play ", turn, " ", strings.Join(texts, ";"))
}
