package transparency

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// algCosignature is the type of keys for cosignatures of C2SP tlog-cosignature.
const algCosignature = 4

// Witness is the public key of a witness. It implements note.Verifier for cosignatures.
type Witness struct {
	name string
	key  ed25519.PublicKey
}

var _ note.Verifier = Witness{}

// errWitness rejects a key that no witness can have.
var errWitness = errors.New("it is not the key of a witness")

// ParseWitness reads the key of a witness as a vkey of type 4.
func ParseWitness(vkey string) (w Witness, err error) {
	name, rest, _ := strings.Cut(vkey, "+")
	sum, key64, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.DecodeString(key64)
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != algCosignature {
		return w, errWitness
	}
	w = Witness{name: name, key: key[1:]}
	if !validName(name) || w.String() != vkey || fmt.Sprintf("%08x", w.KeyHash()) != sum {
		return w, errWitness
	}
	return w, nil
}

// validName reports whether a key may have the name. It has printable ASCII only, so that it can be shown anywhere.
func validName(name string) bool {
	for _, r := range name {
		if r <= ' ' || r == '+' || r > '~' {
			return false
		}
	}
	return name != "" && len(name) <= 100
}

// String returns the key as a vkey.
func (w Witness) String() string {
	return fmt.Sprintf("%s+%08x+%s", w.name, w.KeyHash(),
		base64.StdEncoding.EncodeToString(append([]byte{algCosignature}, w.key...)))
}

// Name implements note.Verifier.
func (w Witness) Name() string { return w.name }

// KeyHash implements note.Verifier.
func (w Witness) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(w.name+"\n\x04"), w.key...))
	return binary.BigEndian.Uint32(sum[:])
}

// Verify implements note.Verifier: sig is the time in seconds since 1970 and the signature.
func (w Witness) Verify(body, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(sig)
	return at < 1<<63 && ed25519.Verify(w.key, cosigned(body, int64(at)), sig[8:])
}

func cosigned(body []byte, at int64) []byte {
	return append([]byte("cosignature/v1\ntime "+strconv.FormatInt(at, 10)+"\n"), body...)
}

// WitnessKey is the private key of a witness.
type WitnessKey struct {
	Witness
	private ed25519.PrivateKey
}

// NewWitnessKey returns the key with a name and a seed of 32 bytes.
func NewWitnessKey(name string, seed []byte) (k WitnessKey, err error) {
	if !validName(name) || len(seed) != ed25519.SeedSize {
		return k, errWitness
	}
	k.private = ed25519.NewKeyFromSeed(seed)
	k.Witness = Witness{name: name, key: k.private.Public().(ed25519.PublicKey)}
	return k, nil
}

// Cosign returns the signature line with which the witness states that, at a time in seconds since 1970, the checkpoint
// is the largest one that it has seen of the log, and continues all earlier ones.
func (k WitnessKey) Cosign(c Checkpoint, at int64) string {
	sig := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, k.KeyHash()), uint64(at))
	sig = append(sig, ed25519.Sign(k.private, cosigned([]byte(c.Body()), at))...)
	return "— " + k.name + " " + base64.StdEncoding.EncodeToString(sig) + "\n"
}

// CheckCosignature checks a signature line of a witness for a checkpoint and returns its time, in seconds since 1970.
func (c Checkpoint) CheckCosignature(line string, w Witness) (at int64, err error) {
	n, err := note.Open([]byte(c.Body()+"\n"+line), note.VerifierList(w))
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0 {
		return 0, fmt.Errorf("the cosignature of %s is not valid", w.name)
	}
	return CosignedAt(line)
}

// CosignedAt returns the time of a cosignature, in seconds since 1970, without checking its signature.
func CosignedAt(line string) (int64, error) {
	fields := strings.Fields(line)
	sig, err := base64.StdEncoding.DecodeString(fields[len(fields)-1])
	if err != nil || len(sig) != 4+8+ed25519.SignatureSize {
		return 0, errors.New("it is not the line of a cosignature")
	}
	return int64(binary.BigEndian.Uint64(sig[4:])), nil
}

// Cosignatures returns the signature lines of a signed checkpoint, by the names of their keys.
func Cosignatures(text string) map[string]string {
	_, after, _ := strings.Cut(text, "\n\n")
	lines := map[string]string{}
	for line := range strings.Lines(after) {
		if fields := strings.Fields(line); len(fields) == 3 {
			lines[fields[1]] = line
		}
	}
	return lines
}
