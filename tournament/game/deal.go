package game

import (
	"crypto/rand"
	"encoding/hex"
	"math/big"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// ShuffledDeal makes a deal with the operating system's generator: every order of the 106 tiles is
// equally likely, and nobody can foretell it.
func ShuffledDeal() engine.Deal {
	salt := make([]byte, 32)
	rand.Read(salt) // never fails
	return engine.Deal{Pool: shuffled(), Draws: shuffled(), Salt: hex.EncodeToString(salt)}
}

func shuffled() tile.List {
	order := tile.List(tile.All())
	for i := len(order) - 1; i > 0; i-- {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(i+1)))
		if err != nil {
			panic("the operating system's generator failed: " + err.Error())
		}
		j := int(n.Int64())
		order[i], order[j] = order[j], order[i]
	}
	return order
}
