package public

// Status is the state of a table as the public sees it, without calls and lost devices.
func (t TableRow) Status() string { return publicNeed(t.Public) }
