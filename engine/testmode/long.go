//go:build long

package testmode

// Long reports whether the long tests run: nodes, PostgreSQL, fault rigs, browser matrices, full-size oracles.
const Long = true
