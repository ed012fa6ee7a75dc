package witness

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"meldhall/tournament/transparency"
)

// LoadKey reads the private key of a witness: a file with its name and its seed in base64. It creates a missing one.
func LoadKey(file, name string) (k transparency.WitnessKey, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		seed := make([]byte, ed25519.SeedSize)
		rand.Read(seed)
		if name == "" {
			name = "witness/" + rand.Text()[:12]
		}
		text = fmt.Appendf(nil, "%s\n%s\n", name, base64.StdEncoding.EncodeToString(seed))
		err = writeDurably(file, text) // temporary files are readable by their owner only
	}
	if err != nil {
		return k, fmt.Errorf("the key of the witness: %w", err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) != 3 {
		return k, fmt.Errorf("%s is not the key of a witness", file)
	}
	seed, err := base64.StdEncoding.DecodeString(lines[1])
	if err == nil {
		k, err = transparency.NewWitnessKey(lines[0], seed)
	}
	if err != nil {
		return k, fmt.Errorf("%s: %w", file, err)
	}
	return k, nil
}
