package organization

import "slices"

// GoneTables returns the tables from which rows are deleted with an organization.
func GoneTables() (names []string) {
	for _, t := range slices.Concat(aboutGames, ofGames, ofEvent, ofOrganization) {
		names = append(names, t.table)
	}
	return names
}
