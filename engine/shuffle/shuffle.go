// Package shuffle computes the order of the tiles from a secret of the server and one nonce of each player's device, so
// that no single party can choose it. data/record/deal.md specifies it to the byte and has test vectors.
package shuffle

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"meldhall/engine/tile"
)

// Deals is the most deals of a game for which a device's nonces last: the first one and its redeals.
const Deals = 16

// Value is a secret, a nonce or a hash. Its text is 64 lower-case hexadecimal digits.
type Value [sha256.Size]byte

// String returns the text of v.
func (v Value) String() string { return hex.EncodeToString(v[:]) }

// MarshalText returns the text of v.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses the text of a Value.
func (v *Value) UnmarshalText(text []byte) error {
	var got Value
	n, err := hex.Decode(got[:], text[:min(len(text), 2*len(got))])
	if err != nil || n != len(got) || got.String() != string(text) {
		return errors.New("not 64 lower-case hexadecimal digits")
	}
	*v = got
	return nil
}

// hash returns the SHA-256 of a label, a game's number as 8 bytes, and the rest.
func hash(label string, game int64, rest ...[]byte) (v Value) {
	h := sha256.New()
	h.Write([]byte(label))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(game)))
	for _, part := range rest {
		h.Write(part)
	}
	h.Sum(v[:0])
	return v
}

// Commitment returns the server's commitment to its secret, which the devices get before they reveal a nonce.
func Commitment(game int64, secret Value) Value { return hash("meldhall deal v1", game, secret[:]) }

// Before returns the nonce of the deal before the one that nonce is for. Before the nonce of the first deal comes the
// hash that the device sends in advance.
func Before(game int64, seat int, nonce Value) Value {
	return hash("meldhall nonce v1", game, []byte{byte(seat)}, nonce[:])
}

// Nonce returns a device's nonce for a deal, counted from 1, or the hash that it sends in advance for deal 0. root is
// its nonce for the last of all Deals.
func Nonce(game int64, seat int, root Value, deal int) Value {
	for ; deal < Deals; deal++ {
		root = Before(game, seat, root)
	}
	return root
}

// Follows reports whether nonce is a device's nonce for a deal, given an earlier one: the nonce of the deal known, or
// the hash of deal 0.
func Follows(game int64, seat int, nonce Value, deal int, earlier Value, known int) bool {
	if deal < known || deal > Deals {
		return false
	}
	for ; deal > known; deal-- {
		nonce = Before(game, seat, nonce)
	}
	return nonce == earlier
}

// Share is a seat's part in a deal. A seat without a nonce is dealt for with a value that follows from the server's
// secret. Hash is the hash that its device sent in advance, or nil.
type Share struct {
	Hash  *Value `json:"hash,omitempty"`
	Nonce *Value `json:"nonce,omitempty"`
}

// Joint is everything that the order of a deal follows from. Deal counts from 1 in a game. Shares are in seat order.
type Joint struct {
	Game   int64   `json:"game"`
	Deal   int     `json:"deal"`
	Secret Value   `json:"secret"`
	Shares []Share `json:"shares"`
}

// Check returns an error if a nonce does not belong to its hash.
func (j Joint) Check() error {
	if j.Deal < 1 || j.Deal > 255 || len(j.Shares) > 255 {
		return fmt.Errorf("deal %d of %d seats", j.Deal, len(j.Shares))
	}
	for seat, share := range j.Shares {
		switch {
		case share.Nonce == nil:
		case share.Hash == nil:
			return fmt.Errorf("the nonce of seat %d has no hash", seat)
		case !Follows(j.Game, seat, *share.Nonce, j.Deal, *share.Hash, 0):
			return fmt.Errorf("the nonce of seat %d does not belong to its hash", seat)
		}
	}
	return nil
}

// key returns the key from which a deal follows.
func (j Joint) key() Value {
	deal := byte(j.Deal)
	parts := [][]byte{{deal}, j.Secret[:]}
	for seat, share := range j.Shares {
		value := share.Nonce
		if value == nil {
			own := hash("meldhall fallback v1", j.Game, []byte{byte(seat), deal}, j.Secret[:])
			value = &own
		}
		parts = append(parts, value[:])
	}
	return hash("meldhall key v1", j.Game, parts...)
}

// The labels of what follows from a key.
const (
	poolLabel  = "meldhall pool v1"
	drawsLabel = "meldhall draws v1"
	saltLabel  = "meldhall salt v1"
)

// Pool returns the order in which the tiles are dealt and drawn.
func (j Joint) Pool() tile.List { return order(j.key(), poolLabel) }

// Draws returns the order of the tiles in the draw for the start.
func (j Joint) Draws() tile.List { return order(j.key(), drawsLabel) }

// Salt returns the salt of the published commitment to the order.
func (j Joint) Salt() string {
	block := stream(j.key(), saltLabel, 0)
	return hex.EncodeToString(block[:])
}

// stream returns a block of the key's stream: the HMAC-SHA-256 of the label and the block's number as 4 bytes.
func stream(key Value, label string, number uint32) (block Value) {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(label))
	mac.Write(binary.BigEndian.AppendUint32(nil, number))
	mac.Sum(block[:0])
	return block
}

// order shuffles all tiles by Fisher and Yates, from the last place to the second. Each step takes the next 32-bit
// number of the stream that is not too large for every place to be equally likely.
func order(key Value, label string) tile.List {
	list := tile.List(tile.All())
	var block Value
	used, number := len(block), uint32(0)
	for i := len(list) - 1; i > 0; i-- {
		places := uint64(i + 1)
		most := (1 << 32) / places * places
		x := most
		for x >= most {
			if used == len(block) {
				block, used = stream(key, label, number), 0
				number++
			}
			x = uint64(binary.BigEndian.Uint32(block[used:]))
			used += 4
		}
		k := int(x % places)
		list[i], list[k] = list[k], list[i]
	}
	return list
}
