package archive

import (
	"encoding/json"
	"fmt"
)

// upgrade converts an archive of version 1, whose files agree with its manifest. Version 1 has no chains, no salts and
// no row counts, and its players have families and extra seconds, which no archive may contain any more.
func (a *Archive) upgrade() error {
	all, err := a.rows()
	if err != nil {
		return err
	}
	for _, file := range topics {
		switch of := partsOf(file); {
		case file == actionsName:
			a.files[file] = writeLines(of[0], all[of[0].table])
		case len(of) > 0:
			a.files[file] = writeFile(of, all)
		}
	}
	for _, name := range a.gameFiles() {
		g, err := a.game(name)
		if err != nil {
			return err
		}
		g.Head = g.ChainHead()
		a.files[name] = g.Lines()
	}
	m := a.Manifest
	m.Version = Version
	if _, _, err := a.count(&m, all); err != nil {
		return err
	}
	a.setManifest(m)
	a.Notes = append(a.Notes, fmt.Sprintf(
		"an older program made the archive, with the SHA-256 %s: no chain covers its logs and records", m.SHA256))
	return nil
}

// upgrade changes the columns of a row of version 1 to those of this version.
func (p part) upgrade(fields map[string]json.RawMessage) {
	switch p.table {
	case "players":
		delete(fields, "family")
		delete(fields, "extra_seconds")
	case "audit":
		if _, is := fields["salt"]; !is {
			fields["salt"] = json.RawMessage(`""`)
		}
	}
}
