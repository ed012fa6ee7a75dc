package live

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestChecksAreAdded checks that the checks of two parts combine to the check of the whole.
func TestChecksAreAdded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bytesOf := func(n int) []byte {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		return data
	}
	for range 500 {
		a, b := bytesOf(rng.IntN(5000)), bytesOf(rng.IntN(1<<rng.IntN(18)))
		if got := checkOf(a).then(checkOf(b)); got.sum != crc32.ChecksumIEEE(append(a, b...)) ||
			got.size != uint32(len(a)+len(b)) {
			t.Fatalf("%d and %d bytes: %+v", len(a), len(b), got)
		}
	}
}
