package guard

import (
	"io"
	"net/http"
	"sync/atomic"
)

// Room limits the total memory for request bodies, because a slow client's body stays in memory while it arrives.
type Room struct {
	most, free int64 // most: limit in bytes; free: bytes of each request that are not counted
	taken      atomic.Int64
}

// NewRoom returns a Room that limits the total to most, in bytes. The first free bytes of each request do not count.
func NewRoom(most, free int64) *Room { return &Room{most: most, free: free} }

// Bound makes reading the request's body fail with TooMany if there is no room for it. The caller must call leave when
// the request is over, to give the room back.
func (o *Room) Bound(r *http.Request) (leave func()) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength >= 0 && r.ContentLength <= o.free {
		return func() {}
	}
	held := &heldBody{ReadCloser: r.Body, room: o}
	r.Body = held
	return func() { o.taken.Add(-held.took) }
}

type heldBody struct {
	io.ReadCloser
	room       *Room
	read, took int64
}

func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if more := max(b.read-b.room.free, 0) - b.took; more > 0 {
		b.took += more
		if b.room.taken.Add(more) > b.room.most {
			return 0, tooMany(placeAgain)
		}
	}
	return n, err
}
