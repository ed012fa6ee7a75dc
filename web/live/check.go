package live

import "hash/crc32"

// check is what a gzip stream ends with: the CRC-32 of all its data, and how much there was. Shift tells what so many more bytes make of
// a sum, so that the sums of two parts give that of both without their bytes, as zlib's crc32_combine does.
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

// then is the check of what is followed by something whose check is next.
func (c check) then(next check) check {
	return check{sum: times(next.shift, c.sum) ^ next.sum, size: c.size + next.size}
}

// times multiplies two polynomials over two elements modulo that of CRC-32, in its reversed order of bits.
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

// squares are x to the power of 2 to the power of n.
var squares = func() (all [32]uint32) {
	all[0] = 1 << 30
	for n := 1; n < len(all); n++ {
		all[n] = times(all[n-1], all[n-1])
	}
	return all
}()
