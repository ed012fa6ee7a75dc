package live

import "hash/crc32"

// check is the trailer of a gzip stream: the CRC-32 of all its data, and their size. Shift is the factor by which these
// bytes advance an earlier sum. The checks of two parts can thus be combined without their bytes, like crc32_combine in
// zlib.
type check struct{ sum, size, shift uint32 }

func checkOf(data []byte) check {
	c := check{sum: crc32.ChecksumIEEE(data), size: uint32(len(data)), shift: 1 << 31}
	for n, k := len(data), 3; n > 0; n, k = n>>1, k+1 { // x to the power of 8n
		if n&1 != 0 {
			c.shift = times(squares[k%32], c.shift)
		}
	}
	return c
}

// then returns the check of c's data followed by the data of next.
func (c check) then(next check) check {
	return check{sum: times(next.shift, c.sum) ^ next.sum, size: c.size + next.size}
}

// times multiplies two polynomials over GF(2) modulo the CRC-32 polynomial, in reversed bit order.
func times(a, b uint32) (product uint32) {
	for bit := uint32(1) << 31; a != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
			a &^= bit
		}
		odd := b & 1
		if b >>= 1; odd != 0 {
			b ^= crc32.IEEE
		}
	}
	return product
}

// squares[n] is x to the power of 2 to the power of n.
var squares = func() (all [32]uint32) {
	all[0] = 1 << 30
	for n := 1; n < len(all); n++ {
		all[n] = times(all[n-1], all[n-1])
	}
	return all
}()
