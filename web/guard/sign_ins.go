package guard

import (
	"errors"
	"net/netip"
	"time"
)

// Network returns the part of an address by which attempts are counted: an IPv4 address, or the /64 of an IPv6 address,
// which one household or phone has as a whole. Other text is returned unchanged.
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

// SignIns limits wrong passwords. A device that has signed in to the account before has its own limit, which strangers
// cannot use up. All other attempts have three limits: by account and address together; by account, which is wider
// because it also affects people who do nothing wrong; and by address, which is the widest. A hall has one address, and
// its players must not be able to lock the officials out.
type SignIns struct {
	devices, pairs, addresses, accounts *Throttle
}

// The attempts per minute of one caller at an account, and of all strangers at an account and at an address, and the
// longest wait of one caller.
const (
	triesOfOne  = 10
	triesOfMany = 30
	triesOfHall = 300
	signInWait  = time.Minute
)

// NewSignIns returns a SignIns without any attempts.
func NewSignIns(now func() time.Time) *SignIns {
	return &SignIns{devices: NewThrottle(triesOfOne, signInWait, now), pairs: NewThrottle(triesOfOne, signInWait, now),
		addresses: NewThrottle(triesOfHall, 0, now), accounts: NewThrottle(triesOfMany, 0, now)}
}

// SignInTry is an attempt in progress.
type SignInTry struct {
	counters []counter
	own      int // the number of counters that belong only to the caller
	done     []func()
}

type counter struct {
	throttle *Throttle
	key      string
}

// Begin begins a stranger's attempt at an account from an address, or refuses it with TooMany and the seconds to wait.
func (s *SignIns) Begin(account, address string) (*SignInTry, error) {
	address = Network(address)
	return begin(2, counter{s.pairs, account + " from " + address}, counter{s.accounts, account},
		counter{s.addresses, address})
}

// BeginKnown begins an attempt by a device or session that has used the account.
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

// Failed counts the attempt as a failure.
func (t *SignInTry) Failed() {
	for _, c := range t.counters {
		c.throttle.Failed(c.key)
	}
}

// Succeeded clears the failures of the caller, who has been authenticated. Those of the account and the address stay.
func (t *SignInTry) Succeeded() {
	for _, c := range t.counters[:t.own] {
		c.throttle.forget(c.key)
	}
}

// End ends the attempt. It must always be called, after Failed or Succeeded.
func (t *SignInTry) End() {
	for _, done := range t.done {
		done()
	}
	t.done = nil
}
