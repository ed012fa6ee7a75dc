package live_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"meldhall/engine/tile"
	"meldhall/web/live"
)

// TestPointersReachTheirTable points at one node and reads at another, as the nodes exchange pointers. A page gets the
// newest pointer of its own table once.
func TestPointersReachTheirTable(t *testing.T) {
	hub := live.NewHub()
	here, there := live.NewPointing(live.NewHub().Wake), live.NewPointing(hub.Wake)
	here.Share = func(p live.Point) {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var sent live.Point
		if err := json.Unmarshal(text, &sent); err != nil {
			t.Fatal(err)
		}
		there.HeardElsewhere(sent)
	}
	page, other := there.Read(hub), there.Read(hub)
	page.Follow(7)
	other.Follow(8)
	first := live.Point{Table: 7, Seat: 2, Tiles: tile.FaceList{tile.NewFace(1, 4), tile.Joker}, At: 3}
	second := live.Point{Table: 7, Seat: -2, Tiles: tile.FaceList{tile.NewFace(0, 1)}}
	here.Show(first)
	here.Show(second)
	select {
	case <-page.Watcher.Woken():
	default:
		t.Error("the page of the table was not woken")
	}
	if got, ok := page.Next(); !ok || !reflect.DeepEqual(got, second) {
		t.Errorf("got %+v %t, want %+v", got, ok, second)
	}
	if got, ok := page.Next(); ok {
		t.Errorf("got %+v again", got)
	}
	select {
	case <-other.Watcher.Woken():
		t.Error("the page of another table was woken")
	default:
	}
	if got, ok := other.Next(); ok {
		t.Errorf("the page of another table got %+v", got)
	}
	page.Follow(0)
	here.Show(first)
	if got, ok := page.Next(); ok {
		t.Errorf("without a table, the page got %+v", got)
	}
	page.Follow(7)
	if got, ok := page.Next(); !ok || !reflect.DeepEqual(got, first) {
		t.Errorf("a page that comes back got %+v %t, want %+v", got, ok, first)
	}
}
