package guard

import "time"

// codesOfMany is how many wrong codes per minute all unknown devices together may try for an account. A code has six
// digits, and anyone asked for one has the password. The limit is lower than for wrong passwords. One network, which
// must soon wait a minute after each attempt, cannot use it up.
const codesOfMany = 10

// NewCodeTries returns a SignIns that limits wrong codes of second factors as NewSignIns limits wrong passwords.
func NewCodeTries(now func() time.Time) *SignIns {
	s := NewSignIns(now)
	s.accounts = NewThrottle(codesOfMany, 0, now)
	return s
}
