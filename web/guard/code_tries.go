package guard

import "time"

// codesOfMany is how many wrong codes of an account all strangers together have in a minute. A code has six digits, and whoever is
// asked for one knows the password: it is fewer than the wrong passwords, and one network, which soon waits a minute after each,
// does not use them up.
const codesOfMany = 10

// NewCodeTries bounds wrong codes of second factors as NewSignIns does wrong passwords.
func NewCodeTries(now func() time.Time) *SignIns {
	s := NewSignIns(now)
	s.accounts = NewThrottle(codesOfMany, 0, now)
	return s
}
