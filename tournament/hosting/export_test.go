package hosting

import "slices"

// GoneTables are the tables of which rows go with an organization.
func GoneTables() (names []string) {
	for _, t := range slices.Concat(aboutGames, ofGames, ofEvent, ofOrganization) {
		names = append(names, t.table)
	}
	return names
}
