package tournament

import "meldhall/engine"

// Account is a member of the staff.
type Account struct {
	ID        int64
	Name      string
	NameKey   string // the name as it is compared
	Role      Role
	Password  string        // argon2id, in PHC form
	CreatedAt engine.Millis `gorm:"autoCreateTime:false"`
}
