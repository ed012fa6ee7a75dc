package page

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/a-h/templ"

	"meldhall/templates/locale"
)

func TestRegionCache(t *testing.T) {
	now := time.Unix(1000, 0)
	cache := NewRegions(func() time.Time { return now }, regionLife)
	drawn := 0
	draw := func(context.Context) (templ.Component, error) {
		drawn++
		return templ.Raw(fmt.Sprint("drawing ", drawn)), nil
	}
	it := locale.WithLanguage(t.Context(), "it")
	for _, step := range []struct {
		name  string
		ctx   context.Context
		after time.Duration
		woken uint64
		want  string
	}{
		{"the first is drawn", t.Context(), 0, 0, "drawing 1"},
		{"one at once is the same", t.Context(), regionLife - 1, 0, "drawing 1"},
		{"another language is another", it, 0, 0, "drawing 2"},
		{"after the least pause of a stream it is drawn anew", t.Context(), 1, 0, "drawing 3"},
		{"a clock that went back keeps nothing", t.Context(), -time.Hour, 7, "drawing 4"},
		{"what nothing has moved since is the same", t.Context(), regionStill - 1, 7, "drawing 4"},
		{"for a while", t.Context(), 1, 7, "drawing 5"},
		{"what has moved is not", t.Context(), regionLife, 8, "drawing 6"},
		{"but not drawn more often than that", t.Context(), regionLife - 1, 9, "drawing 6"},
	} {
		now = now.Add(step.after)
		if got, err := cache.Drawn(step.ctx, "key", step.woken, draw); err != nil || string(got.html) != step.want {
			t.Errorf("%s: got %q, %v, want %q", step.name, got.html, err, step.want)
		}
	}
	if regionLife >= crowdLeast {
		t.Error("who was woken could be given what was drawn before the change")
	}
}
