package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestDoneAgain checks that work that failed, or that another node has left since, is done the next time.
func TestDoneAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Minute)
		defer cancel()
		began, at := time.Now(), []time.Duration(nil)
		again(ctx, 10*time.Minute, "it is not done", func() error {
			at = append(at, time.Since(began))
			return errors.New("the database is away")
		})
		if len(at) != 3 || at[0] != 0 || at[2] != 20*time.Minute {
			t.Errorf("it was done at %v", at)
		}
	})
}
