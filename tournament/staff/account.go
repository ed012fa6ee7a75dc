// Package staff is who works at events: accounts and their roles, passwords, PINs, invitations, devices and sessions.
package staff

import (
	"meldhall/engine"
	"meldhall/tournament/rights"
)

// Account is an official. One without a password signs in by an invitation alone.
type Account struct {
	ID        int64
	Name      string
	NameKey   string // the name as it is compared
	Role      rights.Role
	Password  string        // argon2id, in PHC form; empty: none
	PIN       string        `gorm:"column:pin"` // likewise
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
	RemovedAt engine.Millis // 0: not removed
}
