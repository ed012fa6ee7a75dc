//go:build !(glpk && cgo)

package main

// glpkAnswers returns no baseline: this program was built without GLPK.
func glpkAnswers(bool) (answers baseline, name string) { return nil, "" }
