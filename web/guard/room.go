package guard

import (
	"io"
	"net/http"
	"sync/atomic"
)

// Room bounds how much of what is sent is in memory at once, of all requests together: who sends slowly holds what came so far.
type Room struct {
	most, free int64 // of all; of each request, what is not counted
	taken      atomic.Int64
}

// NewRoom makes room for so many bytes, besides the first free ones of each request.
func NewRoom(most, free int64) *Room { return &Room{most: most, free: free} }

// Bound lets reading the body of a request fail with TooMany where there is no room for it. Leave gives back what it took, and is to be
// called when the request is over.
func (o *Room) Bound(r *http.Request) (leave func()) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength >= 0 && r.ContentLength <= o.free {
		return func() {}
	}
	held := &heldBody{ReadCloser: r.Body, room: o}
	r.Body = held
	return func() { o.taken.Add(-held.took) }
}

// Taken is how many bytes are counted by now.
func (o *Room) Taken() int64 { return o.taken.Load() }

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
