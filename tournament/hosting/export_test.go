package hosting

// GoneTables are the tables of which rows go with an organization.
func GoneTables() (names []string) {
	for _, t := range gone {
		names = append(names, t.table)
	}
	return names
}
