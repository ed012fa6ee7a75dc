package staff

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"meldhall/tournament/refuse"
)

// argon2id as OWASP advises it; a hash takes 19 MiB for its time, so few run at once.
const (
	hashesAtOnce  = 2
	argonTime     = 2
	argonMemory   = 19 * 1024 // KiB
	argonThreads  = 1
	argonKey      = 32
	argonSalt     = 16
	passwordLeast = 12  // characters
	passwordMost  = 128 // bytes
)

// hashing bounds the memory that password hashing takes.
var hashing = make(chan struct{}, hashesAtOnce)

// checkPassword refuses a password for its length alone: rules of composition make passwords worse.
func checkPassword(password string) error {
	if utf8.RuneCountInString(password) < passwordLeast {
		return refuse.Invalid("err_password_short", "least", passwordLeast)
	}
	if len(password) > passwordMost {
		return refuse.Invalid("err_password_long", "most", passwordMost)
	}
	return nil
}

// newPassword is the hash of a password, which must be long enough.
func newPassword(ctx context.Context, password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	return hashPassword(ctx, password)
}

// hashPassword gives the argon2id hash in PHC form.
func hashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, argonSalt)
	rand.Read(salt)
	key, err := argon(ctx, password, salt, argonTime, argonMemory, argonThreads)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads,
		b64.EncodeToString(salt), b64.EncodeToString(key)), nil
}

// passwordFits compares in constant time. A hash that cannot be read fits nothing.
func passwordFits(ctx context.Context, password, phc string) (bool, error) {
	parts := strings.Split(phc, "$")
	var version int
	var memory, time uint32
	var threads uint8
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, nil
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time, &threads); err != nil || version != argon2.Version {
		return false, nil
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(want) != argonKey {
		return false, nil
	}
	key, err := argon(ctx, password, salt, time, memory, threads)
	return err == nil && subtle.ConstantTimeCompare(key, want) == 1, err
}

func argon(ctx context.Context, password string, salt []byte, time, memory uint32, threads uint8) ([]byte, error) {
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, time, memory, threads, argonKey), nil
}
