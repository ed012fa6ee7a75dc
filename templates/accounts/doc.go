// Package accounts renders signing in, officials' accounts, the security log, organizations, and what personal data a
// tournament holds.
package accounts
