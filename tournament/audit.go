package tournament

import "meldhall/engine"

// AuditEntry records a change that is not a game event: who did what to which subject, how it was
// before and after, and why, in the same transaction as the change.
type AuditEntry struct {
	ID           int64
	At           engine.Millis
	TournamentID *int64
	Actor        string
	Action       string
	Subject      string
	Before       string
	After        string
	Why          string
}

// TableName is audit.
func (AuditEntry) TableName() string { return "audit" }
