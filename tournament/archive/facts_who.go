package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

// actor is the parsed actor of an event or a record.
type actor struct {
	role   rights.Role
	name   string
	player int64
	seat   int
}

func parseActor(text string) actor {
	role, name, _ := strings.Cut(text, ":")
	w := actor{role: rights.Role(role), name: name, seat: -1}
	if w.role == rights.RolePlayer {
		w.player, _ = strconv.ParseInt(name, 10, 64)
	}
	return w
}

// may reports whether the role has a right everywhere.
func (w actor) may(right rights.Right) bool { return slices.Contains(rights.Holders(right), w.role) }

// office is an official's role from a moment on; empty if the account was removed.
type office struct {
	at   engine.Millis
	role rights.Role
}

// accountKinds lists the actions that set an official's role.
var accountKinds = []string{"account.create", "account.setup", "account.accept", "account.invite", "account.role",
	"account.remove"}

// atTheMachine is the actor's name for commands on the server's machine.
const atTheMachine = "the server's machine"

// readOfficials reads the officials' roles over time from the records of accounts. The officials of an imported
// tournament are unknown, as are those of a tournament older than the first record.
func (f *facts) readOfficials() error {
	if f.imported {
		return nil
	}
	var rows []struct {
		At                                  engine.Millis
		Action, About, Data, Subject, After string
		Version                             int
	}
	db := f.store.Read.WithContext(f.ctx)
	err := db.Raw(`SELECT at, action, about, data, subject, after, coalesce(version, 0) AS version FROM audit
		WHERE action IN ? ORDER BY id`, accountKinds).Scan(&rows).Error
	if err == nil {
		err = db.Table("accounts").Pluck("name", &f.accounts).Error
	}
	if err != nil || len(rows) == 0 || rows[0].At > f.c.event.CreatedAt {
		return err
	}
	f.officers = map[string][]office{}
	for _, r := range rows {
		var on action.About
		var step action.Step
		_ = json.Unmarshal([]byte(r.About), &on)
		_ = json.Unmarshal([]byte(r.Data), &step)
		name, role := on.Name, rights.Role(step.Is)
		if r.Version == 0 {
			name, role = r.Subject, rights.Role(r.After)
		}
		if role != "" || r.Action == "account.remove" {
			f.officers[name] = append(f.officers[name], office{r.At, role})
		}
	}
	return nil
}

// notInOffice returns why an official did not have that role at that moment, or "" if they had it or it is unknown.
func (f *facts) notInOffice(w actor, at engine.Millis) string {
	if f.officers == nil || !slices.Contains(rights.OfficialRoles, w.role) {
		return ""
	}
	all, known := f.officers[w.name]
	if !known {
		// Older versions created accounts without a record.
		if w.name == atTheMachine || slices.Contains(f.accounts, w.name) {
			return ""
		}
		return "no official has had this name"
	}
	role := rights.Role("")
	for _, o := range all {
		if o.at > at+clockSlack {
			break
		}
		if role = o.role; role == w.role && o.at > at-clockSlack {
			return ""
		}
	}
	switch {
	case role == w.role:
		return ""
	case role == "":
		return "the official had no account then"
	}
	return fmt.Sprintf("the official was %s then", role)
}
