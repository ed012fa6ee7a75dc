package tournament

// Role is what somebody is here.
type Role string

// The roles.
const (
	RoleOrganizer Role = "organizer"
	RoleReferee   Role = "referee"
	RolePlayer    Role = "player"
	RolePublic    Role = "public"
)
