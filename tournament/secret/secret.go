// Package secret creates the codes and tokens that identify devices and people, and the hashes that are stored.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// People type codes, so characters that look alike are excluded. With 8 of 30 characters there are 6.6e11 codes.
const (
	codeLetters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
	codeDigits  = 8 // number of leading digits in codeLetters
	codeLength  = 8
	tokenBytes  = 24 // 192 bits
	// DeviceNames is the number of names that DeviceName can return.
	DeviceNames = (len(codeLetters) - codeDigits) * len(codeLetters)
)

// NewCode returns a new code for a seat or a table.
func NewCode() string {
	code := make([]byte, 0, codeLength)
	var one [1]byte
	for len(code) < codeLength {
		rand.Read(one[:])
		if int(one[0]) < 256/len(codeLetters)*len(codeLetters) {
			code = append(code, codeLetters[int(one[0])%len(codeLetters)])
		}
	}
	return string(code)
}

// SpellCode formats a code in two halves for printing.
func SpellCode(code string) string {
	if len(code) != codeLength {
		return code
	}
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}

// SpellCodes formats a long code in groups of four.
func SpellCodes(code string) string {
	var groups []string
	for group := range slices.Chunk([]byte(code), codeLength/2) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, "-")
}

// NewToken returns a new secret to be stored by a machine.
func NewToken() string {
	secret := make([]byte, tokenBytes)
	rand.Read(secret)
	return base64.RawURLEncoding.EncodeToString(secret)
}

// DeviceName returns a short name of a device, derived from its token's hash: a letter or digit followed by a letter,
// which cannot be mistaken for a tile. A device shows its own name, and the officials' list shows all.
func DeviceName(hash string) string {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) < 2 {
		return ""
	}
	letters := codeLetters[codeDigits:]
	return string([]byte{codeLetters[int(sum[0])%len(codeLetters)], letters[int(sum[1])%len(letters)]})
}

// Hash returns the hash under which a code or token is stored.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
