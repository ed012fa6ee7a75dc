// Package linear checks that a cluster's games are linearizable. It records the commands sent to them, the answers and
// their times, and compares them with a model of a single log. Whichever nodes the commands went to, there must be an
// order of all commands, each between its call and its answer, in which a single program would have given the same
// answers.
package linear

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// Recorder is an http.RoundTripper that records the commands it forwards. Its Next sends each of them to a random node.
type Recorder struct {
	Next  http.RoundTripper
	Twice float64 // share of commands sent twice at the same time, as by a bad network
	Races float64 // share of moves that race with a draw from a second device

	began time.Time
	mu    sync.Mutex
	rng   *rand.Rand
	calls []call
	races int
	twins sync.WaitGroup
}

// call is one attempt to send a command, and its result.
type call struct {
	game        int64
	key         string // prefixed with a hash of the sender's token
	name        string // play, draw, resume, …
	turn        int    // the turn a move is meant for; 0 if it is not a move
	called, end time.Duration

	answer  answered
	outcome string // the outcome, or the code of the refusal
	seq     int    // of the event; if refused, the version judged, 0 if not given
	again   bool   // done by an earlier call
}

type answered uint8

const (
	unknown answered = iota // no answer, or the server cannot write
	done
	refused
)

// New returns an empty Recorder.
func New(next http.RoundTripper, twice float64, seed uint64) *Recorder {
	return &Recorder{Next: next, Twice: twice, began: time.Now(), rng: rand.New(rand.NewPCG(seed, 58))}
}

// twinMost is the timeout of a duplicate request.
const twinMost = 10 * time.Second

var command = regexp.MustCompile(`^/api/v1/games/(\d+)/([a-z-]+)$`)

// RoundTrip forwards a request. Only game commands are recorded.
func (r *Recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	parts := command.FindStringSubmatch(request.URL.Path)
	if request.Method != http.MethodPost || parts == nil || request.GetBody == nil {
		return r.Next.RoundTrip(request)
	}
	from, err := request.GetBody()
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var sent struct {
		Turn int    `json:"turn,omitempty"`
		Key  string `json:"key"`
	}
	if json.Unmarshal(body, &sent) != nil || sent.Key == "" {
		return r.Next.RoundTrip(request)
	}
	who := sha256.Sum256([]byte(request.Header.Get("Authorization")))
	c := call{key: hex.EncodeToString(who[:4]) + " " + sent.Key, name: parts[2]}
	c.game, _ = strconv.ParseInt(parts[1], 10, 64)
	switch c.name {
	case "play", "draw", "pass":
		c.turn = sent.Turn
	}
	if r.chance(r.Twice) {
		r.beside(request, request.URL.Path, body, c)
	}
	if c.turn != 0 && r.chance(r.Races) {
		rival := c
		rival.key, rival.name = c.key+"-2", "draw"
		sent.Key += "-2"
		if body, err = json.Marshal(sent); err != nil {
			return nil, err
		}
		r.mu.Lock()
		r.races++
		r.mu.Unlock()
		r.beside(request, path.Dir(request.URL.Path)+"/draw", body, rival)
	}
	return r.send(request, c)
}

// beside sends another command of the same sender while the first one is in progress.
func (r *Recorder) beside(request *http.Request, to string, body []byte, c call) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(request.Context()), twinMost)
	twin := request.Clone(ctx)
	twin.URL.Path, twin.Body, twin.ContentLength = to, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.twins.Go(func() {
		defer cancel()
		_, _ = r.send(twin, c)
	})
}

func (r *Recorder) chance(of float64) bool {
	if of == 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rng.Float64() < of
}

// send sends a command and records it with its answer.
func (r *Recorder) send(request *http.Request, c call) (*http.Response, error) {
	c.called = time.Since(r.began)
	response, err := r.Next.RoundTrip(request)
	if err == nil {
		var body []byte
		body, err = io.ReadAll(response.Body)
		response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(body))
		if err == nil && !c.read(response.StatusCode, body) {
			return response, nil // rejected before it reached the game
		}
	}
	c.end = time.Since(r.began)
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
	return response, err
}

// read sets c's result from an answer. It reports whether the command reached the game.
func (c *call) read(status int, body []byte) bool {
	var said struct {
		Outcome string `json:"outcome"`
		Seq     int    `json:"seq"`
		Again   bool   `json:"again"`
		Code    string `json:"code"`
		View    *struct {
			Seq int `json:"seq"`
		} `json:"view"`
	}
	_ = json.Unmarshal(body, &said)
	switch {
	case status == http.StatusOK && said.Seq > 0:
		c.answer, c.outcome, c.seq, c.again = done, said.Outcome, said.Seq, said.Again
	case status == http.StatusConflict || status == http.StatusUnprocessableEntity:
		c.outcome = said.Code
		if c.answer = refused; said.View != nil {
			c.seq = said.View.Seq
		}
	case status >= 500:
		c.answer = unknown
	default:
		return false
	}
	return true
}

// Done returns, by game and seq, when each event caused by a recorded call was acknowledged. It omits events
// acknowledged before since.
func (r *Recorder) Done(since time.Time) map[[2]int64]time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[[2]int64]time.Time{}
	for _, c := range r.calls {
		if at := r.began.Add(c.end); c.answer == done && !c.again && at.After(since) {
			all[[2]int64{c.game, int64(c.seq)}] = at
		}
	}
	return all
}

// Acknowledged returns the outcome of each event that was reported as done, by game and seq, including reports for
// repeated commands.
func (r *Recorder) Acknowledged() map[[2]int64]string {
	r.twins.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[[2]int64]string{}
	for _, c := range r.calls {
		if c.answer == done {
			all[[2]int64{c.game, int64(c.seq)}] = c.outcome
		}
	}
	return all
}

// Last describes the last n calls. It helps to find out why a run is stuck.
func (r *Recorder) Last(n int) (text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls[max(0, len(r.calls)-n):] {
		text += "\n\t" + c.String()
	}
	return text
}

// Forget discards the recorded calls.
func (r *Recorder) Forget() {
	r.twins.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls, r.races = nil, 0
}

// String describes a call for debugging.
func (c call) String() string {
	text := fmt.Sprintf("%v to %v: %s with key %s", c.called.Round(time.Microsecond), c.end.Round(time.Microsecond),
		c.name, c.key)
	if c.turn != 0 {
		text += fmt.Sprintf(" in turn %d", c.turn)
	}
	switch {
	case c.answer == unknown:
		return text + ": no answer"
	case c.answer == refused:
		return text + fmt.Sprintf(": refused at seq %d, %s", c.seq, c.outcome)
	case c.again:
		return text + fmt.Sprintf(": %s at seq %d, done before", c.outcome, c.seq)
	}
	return text + fmt.Sprintf(": %s at seq %d", c.outcome, c.seq)
}
