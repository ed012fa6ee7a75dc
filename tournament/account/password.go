package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// argon2id parameters as recommended by OWASP. A hash takes 19 MiB while it is computed, so only a few run at once.
const (
	hashesAtOnce  = 2
	argonTime     = 2
	argonMemory   = 19 * 1024 // KiB
	argonThreads  = 1
	argonKey      = 32
	argonSalt     = 16
	passwordLeast = 12  // characters
	passwordMost  = 256 // bytes: 64 characters of any script
)

// hashing limits the memory used for password hashing. inLine counts hashes that run or wait.
var (
	hashing = make(chan struct{}, hashesAtOnce)
	inLine  atomic.Int32
)

// line is how many hashes may run or wait before the next one is rejected. Any number of unknown clients may come, so
// their limit is lower, and officials never wait long behind them.
type line int32

const (
	strangers line = hashesAtOnce + 16
	officials line = hashesAtOnce + 64

	busySeconds = 2 // after which a rejected client may retry
)

func lineOf(known bool) line {
	if known {
		return officials
	}
	return strangers
}

// checkPassword rejects a password that is too short or too long, easy to guess for someone who knows the names, or
// leaked. There are no composition rules, because they make passwords worse.
func checkPassword(password string, names []string) error {
	if utf8.RuneCountInString(password) < passwordLeast {
		return refuse.Invalid("err_password_short", "least", passwordLeast)
	}
	if len(password) > passwordMost {
		return refuse.Invalid("err_password_long", "most", passwordMost)
	}
	if easy(password, names) {
		return refuse.Invalid("err_password_easy")
	}
	if leaked(password) {
		return refuse.Invalid("err_password_leaked")
	}
	return nil
}

// newPassword checks a password for the account with a name and returns its hash.
func newPassword(ctx context.Context, s *store.DB, name, password string) (string, error) {
	names, err := namesAround(ctx, s, name)
	if err == nil {
		err = checkPassword(password, names)
	}
	if err != nil {
		return "", err
	}
	return hashPassword(ctx, officials, password)
}

// hashPassword returns the argon2id hash in PHC form.
func hashPassword(ctx context.Context, in line, password string) (string, error) {
	salt := make([]byte, argonSalt)
	rand.Read(salt)
	key, err := argon(ctx, in, password, salt, argonTime, argonMemory, argonThreads)
	if err != nil {
		return "", err
	}
	b64 := base64.RawStdEncoding
	return phcBegin + b64.EncodeToString(salt) + "$" + b64.EncodeToString(key), nil
}

// phcBegin is the prefix of a current hash: its algorithm and parameters.
var phcBegin = fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, argonMemory, argonTime, argonThreads)

// hashAnew rehashes a correct password if its hash does not use the current parameters.
func hashAnew(ctx context.Context, s *store.DB, account Account, password string, known bool) error {
	if strings.HasPrefix(account.Password, phcBegin) {
		return nil
	}
	hash, err := hashPassword(ctx, lineOf(known), password)
	if err != nil {
		return err
	}
	return s.Tx(ctx, func(tx *gorm.DB) error {
		return tx.Model(&Account{}).Where("id = ? AND password = ?", account.ID, account.Password).Update("password",
			hash).Error
	})
}

// passwordFits reports whether a password matches a hash, comparing in constant time. An unreadable hash never matches.
func passwordFits(ctx context.Context, in line, password, phc string) (bool, error) {
	parts := strings.Split(phc, "$")
	var version int
	var memory, time uint32
	var threads uint8
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, nil
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time,
		&threads); err != nil || version != argon2.Version {
		return false, nil
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(want) != argonKey {
		return false, nil
	}
	key, err := argon(ctx, in, password, salt, time, memory, threads)
	return err == nil && subtle.ConstantTimeCompare(key, want) == 1, err
}

// prove returns wrong unless a password or a PIN matches a hash, which is empty if there is none. All mismatches take
// the same time.
func prove(ctx context.Context, in line, typed, hash string, wrong error) error {
	if len(typed) > passwordMost {
		return wrong
	}
	if hash == "" {
		_, err := hashPassword(ctx, in, typed)
		return cmp.Or(err, wrong)
	}
	fits, err := passwordFits(ctx, in, typed, hash)
	if err == nil && !fits {
		err = wrong
	}
	return err
}

func argon(ctx context.Context, in line, password string, salt []byte, time, memory uint32, threads uint8) ([]byte,
	error) {
	defer inLine.Add(-1)
	if inLine.Add(1) > int32(in) {
		return nil, refuse.New(refuse.KindBusy, "err_passwords_busy", "seconds", busySeconds)
	}
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, time, memory, threads, argonKey), nil
}

const pinDigits = 6

// newPIN returns the hash of a PIN that pinFits accepts; an empty PIN has an empty hash.
func newPIN(ctx context.Context, pin string) (string, error) {
	if pin == "" {
		return "", nil
	}
	return hashPassword(ctx, officials, pin)
}

// pinFits reports whether a PIN has six digits and is not one of the most obvious ones.
func pinFits(pin string) bool {
	if len(pin) != pinDigits || strings.Trim(pin, "0123456789") != "" {
		return false
	}
	return !strings.Contains("0123456789012345", pin) && !strings.Contains("9876543210987654", pin) &&
		strings.Count(pin, pin[:1]) < pinDigits
}

// AccountNamed returns the ID of the account that a number or a name refers to in people.ShowPIN, or 0 for none.
func AccountNamed(ctx context.Context, s *store.DB, who string) (int64, error) {
	account, err := accountNamed(s.Read.WithContext(ctx), who)
	return account.ID, err
}

func accountNamed(db *gorm.DB, who string) (Account, error) {
	number, _ := spelling.Whole(who)
	var account Account
	err := db.Where("removed_at = 0 AND (name_key = ? OR id = ?)", spelling.Fold(who),
		number).Order("id").Limit(1).Find(&account).Error
	return account, err
}

// ByPIN returns the official with this number or name and PIN, who must be allowed to make rulings. All mismatches give
// the same error and take the same time.
func ByPIN(ctx context.Context, s *store.DB, who, pin string) (rights.Actor, error) {
	account, err := accountNamed(s.Read.WithContext(ctx), who)
	if err != nil {
		return rights.Actor{}, err
	}
	actor, err := actorOf(s.Read.WithContext(ctx), account)
	if err != nil {
		return actor, err
	}
	if rights.Authorize(actor, rights.Place{}, rights.MayRule) != nil {
		account.PIN = "" // a PIN is useless without that right
	}
	if err := prove(ctx, officials, pin, account.PIN, refuse.Unauthenticated("err_pin_wrong")); err != nil {
		return rights.Actor{}, err
	}
	return actor, nil
}

// inviteLife is how long an invitation is valid.
const inviteLife = engine.Millis(15 * time.Minute / time.Millisecond)

// Invite is a link that signs an official in once. Only its creator gets the Token.
type Invite struct {
	ID        int64
	TokenHash string
	AccountID int64
	Actor     string
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	ExpiresAt engine.Millis
	UsedAt    engine.Millis

	Token   string  `gorm:"-"`
	Account Account `gorm:"-"`
}

// invite creates an invitation for an official and voids earlier ones.
func invite(tx *gorm.DB, now engine.Millis, by rights.Actor, account Account) (Invite, error) {
	token := secret.NewToken()
	made := Invite{TokenHash: secret.Hash(token), AccountID: account.ID, Actor: by.String(), CreatedAt: now,
		ExpiresAt: now + inviteLife,
		Token:     token, Account: account}
	if err := voidInvites(tx, account.ID, now); err != nil {
		return Invite{}, err
	}
	return made, tx.Create(&made).Error
}

func voidInvites(tx *gorm.DB, account int64, now engine.Millis) error {
	return tx.Model(&Invite{}).Where("account_id = ? AND used_at = 0 AND expires_at > ?", account,
		now).Update("expires_at", now).Error
}

// Invited returns the official that a token invites, without using it. It returns Unauthenticated for a token that is
// invalid, used or expired.
func Invited(ctx context.Context, s *store.DB, token string) (rights.Actor, error) {
	db := s.Read.WithContext(ctx)
	_, account, err := findInvite(db, s.Millis(), token)
	if err != nil {
		return rights.Actor{}, err
	}
	return actorOf(db, account)
}

func findInvite(db *gorm.DB, now engine.Millis, token string) (Invite, Account, error) {
	var invite Invite
	found := db.Where("token_hash = ? AND used_at = 0 AND expires_at > ?", secret.Hash(token),
		now).Limit(1).Find(&invite)
	if found.Error == nil && found.RowsAffected == 0 {
		return invite, Account{}, refuse.Unauthenticated("err_invite_over")
	}
	if found.Error != nil {
		return invite, Account{}, found.Error
	}
	account, err := FindAccount(db, invite.AccountID)
	return invite, account, err
}
