package tablet

import (
	"testing"
	"time"
)

// A badge that is given back does not replace a newer one of the same tablet.
func TestBadgeThatIsGivenBack(t *testing.T) {
	b := newBadges(time.Now, nil)
	first := b.give(badge{Player: 7, Game: 1})
	one, ok := b.take(first, 7)
	if !ok {
		t.Fatal("a right that was given is not there")
	}
	second := b.give(badge{Player: 7, Game: 2})
	b.back(one)
	if now, ok := b.see(second, 7); !ok || now.Game != 2 {
		t.Errorf("the newer right is %+v, %t", now, ok)
	}
	if _, ok := b.see(first, 7); ok {
		t.Error("the older right is there again")
	}
	if _, ok := b.take(second, 7); !ok {
		t.Fatal("the newer right cannot be used")
	}
	b.back(one)
	if _, ok := b.see(first, 7); !ok {
		t.Error("a right that was given back is not there")
	}
}
