// Package secret makes the codes and tokens by which devices and people are known, and what is stored of them.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// Codes are typed by people: no letters or digits that look alike. 30 letters, 8 of them: 6.6e11 codes.
const (
	codeLetters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
	codeDigits  = 8 // which the letters begin with
	codeLength  = 8
	tokenBytes  = 24 // 192 bits
	DeviceNames = (len(codeLetters) - codeDigits) * len(codeLetters)
)

// NewCode makes a code for a seat or a table.
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

// PlainCode takes what people put around a code away: ABCD-EFGH, spaces, small letters.
func PlainCode(typed string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\t", "").Replace(strings.TrimSpace(typed)))
}

// SpellCode writes a code in two halves, as it is printed.
func SpellCode(code string) string {
	if len(code) != codeLength {
		return code
	}
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}

// SpellCodes writes a long code in groups of four.
func SpellCodes(code string) string {
	var groups []string
	for group := range slices.Chunk([]byte(code), codeLength/2) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, "-")
}

// NewToken makes a secret that a machine keeps.
func NewToken() string {
	secret := make([]byte, tokenBytes)
	rand.Read(secret)
	return base64.RawURLEncoding.EncodeToString(secret)
}

// DeviceName is what people call a device, by the hash of its token: a letter or a digit, and a letter, which no tile is called.
// A device shows its own, and the officials' list has those of all.
func DeviceName(hash string) string {
	sum, err := hex.DecodeString(hash)
	if err != nil || len(sum) < 2 {
		return ""
	}
	letters := codeLetters[codeDigits:]
	return string([]byte{codeLetters[int(sum[0])%len(codeLetters)], letters[int(sum[1])%len(letters)]})
}

// Hash is what is stored of a code or a token.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
