//go:build !linux

package main

import "context"

// arrive connects all viewers; here each parses its messages.
func (v *viewing) arrive(ctx context.Context) error {
	v.Sample = 1
	for n := range v.Count {
		if err := v.watch(ctx, n); err != nil {
			return err
		}
	}
	return nil
}
