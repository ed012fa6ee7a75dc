package guard

import (
	"errors"
	"net/netip"
	"time"
)

// Network is by which part of an address its tries are counted: of IPv6 the /64 that a household or a phone has whole, of IPv4
// the address. What is no address stays as it is.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, 64).Masked().String()
}

// SignIns bounds wrong passwords. A device that has signed in to the account before has tries of its own, which strangers cannot
// use up. All others are counted by account and address together; by account, wherever they come from, which is wider, since it also
// bounds those who do nothing wrong; and by address, whatever the account, which is the widest: a hall has one address for all, and
// the players in it are not to keep the officials out.
type SignIns struct {
	devices, pairs, addresses, accounts *Throttle
}

// The tries a minute of one caller at one account, and of all strangers at an account and at an address.
const (
	triesOfOne  = 10
	triesOfMany = 30
	triesOfHall = 300
	signInWait  = time.Minute
)

// NewSignIns makes one that has seen no try yet.
func NewSignIns(now func() time.Time) *SignIns {
	return &SignIns{devices: NewThrottle(triesOfOne, signInWait, now), pairs: NewThrottle(triesOfOne, signInWait, now),
		addresses: NewThrottle(triesOfHall, 0, now), accounts: NewThrottle(triesOfMany, 0, now)}
}

// SignInTry is a try whose outcome is not known yet.
type SignInTry struct {
	counters []counter
	own      int // how many of them are the caller's alone
	done     []func()
}

type counter struct {
	throttle *Throttle
	key      string
}

// Begin begins a stranger's try at an account from an address, or refuses it with TooMany, naming the seconds to wait.
func (s *SignIns) Begin(account, address string) (*SignInTry, error) {
	address = Network(address)
	return begin(2, counter{s.pairs, account + " from " + address}, counter{s.accounts, account}, counter{s.addresses, address})
}

// BeginKnown begins a try of somebody who is known at the account, by a device or a session.
func (s *SignIns) BeginKnown(who string) (*SignInTry, error) {
	return begin(1, counter{s.devices, who})
}

func begin(own int, counters ...counter) (*SignInTry, error) {
	try := &SignInTry{counters: counters, own: own}
	var refused *TooMany
	for _, c := range counters {
		done, err := c.throttle.Begin(c.key)
		if e := (*TooMany)(nil); errors.As(err, &e) && (refused == nil || e.Seconds > refused.Seconds) {
			refused = e
		}
		if err == nil {
			try.done = append(try.done, done)
		}
	}
	if refused != nil {
		try.End()
		return nil, refused
	}
	return try, nil
}

// Failed counts it as a failure.
func (t *SignInTry) Failed() {
	for _, c := range t.counters {
		c.throttle.Failed(c.key)
	}
}

// Succeeded forgets the failures of who has shown to be the account's; those of the address stay.
func (t *SignInTry) Succeeded() {
	for _, c := range t.counters[:t.own] {
		c.throttle.Forget(c.key)
	}
}

// End ends the try; it is called in any case, after the outcome was told.
func (t *SignInTry) End() {
	for _, done := range t.done {
		done()
	}
	t.done = nil
}
