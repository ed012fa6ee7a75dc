//go:build !unix

package cputime

import "time"

// Process returns 0, because this system does not report processor time.
func Process() time.Duration { return 0 }
