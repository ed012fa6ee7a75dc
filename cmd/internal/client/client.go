// Package client is a client of the server. It covers /api/v1 for officials, players and the public, a bot that plays a
// seat, and a server started as a separate process. The demo, the load test and the commands' tests use it.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Client calls /api/v1 for an official, for a player, or, without a token, for the public. Many goroutines may use it
// once the token is set.
type Client struct {
	Base  string // such as http://127.0.0.1:8080
	Token string
	http  *http.Client
	epoch *atomic.Value // string: the database's epoch as of the last response
	// Seen, if set, is called with every response body, for the test that looks for leaks.
	Seen func(path string, body []byte)
}

// Error is an error response of the server.
type Error struct {
	Status  int
	Code    string          `json:"code"`
	Message string          `json:"message"`
	View    json.RawMessage `json:"view"`
}

// Error returns the message with its status and code.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// epochHeader carries the database's epoch: the server rejects a command meant for another one.
const epochHeader = "X-Epoch"

// Refused reports whether err is an error response with one of the codes. Without codes, it accepts any error response.
func Refused(err error, codes ...string) bool {
	var e *Error
	return errors.As(err, &e) && (len(codes) == 0 || slices.Contains(codes, e.Code))
}

// NewTransport returns a transport that many clients of one process share. Its limits are sized for a load test.
func NewTransport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:        4096,
		MaxIdleConnsPerHost: 4096,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
}

// New returns a client without a token for an address such as http://127.0.0.1:8080.
func New(base string, transport http.RoundTripper) *Client {
	return &Client{Base: strings.TrimSuffix(base, "/"), http: &http.Client{Transport: transport},
		epoch: new(atomic.Value)}
}

// With returns a client of the same server with another token.
func (c *Client) With(token string) *Client {
	other := *c
	other.Token = token
	return &other
}

// entered posts in to path and returns a client with the token from the response.
func (c *Client) entered(ctx context.Context, path string, in any) (*Client, error) {
	var out struct {
		Token string `json:"token"`
	}
	err := c.Call(ctx, http.MethodPost, path, in, &out)
	return c.With(out.Token), err
}

// Call sends one request under /api/v1. in is sent as JSON, except CSV, which is sent unchanged. The response is
// decoded into out unless out is nil. An error response is returned as an *Error.
func (c *Client) Call(ctx context.Context, method, path string, in, out any) error {
	status, body, err := c.Exchange(ctx, method, path, in)
	if err != nil {
		return err
	}
	if status >= 400 {
		return answerError(status, method, path, body)
	}
	if out == nil || len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return nil
}

// Exchange is like Call but returns the status and the raw body, also for error responses.
func (c *Client) Exchange(ctx context.Context, method, path string, in any) (status int, body []byte, err error) {
	req, err := c.request(ctx, method, path, in)
	if err != nil {
		return 0, nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer resp.Body.Close()
	if body, err = io.ReadAll(io.LimitReader(resp.Body, 64<<20)); err != nil {
		return 0, nil, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	if name := resp.Header.Get(epochHeader); name != "" {
		c.epoch.Store(name)
	}
	if c.Seen != nil {
		c.Seen(path, body)
	}
	return resp.StatusCode, body, nil
}

// CSV is a request body that is sent unchanged.
type CSV []byte

func (c *Client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	kind := "application/json"
	switch in := in.(type) {
	case nil:
	case CSV:
		body, kind = bytes.NewReader(in), "text/csv; charset=utf-8"
	default:
		data, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.Base+"/api/v1"+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	if name, ok := c.epoch.Load().(string); ok && method != http.MethodGet {
		req.Header.Set(epochHeader, name)
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return req, nil
}

func answerError(status int, method, path string, body []byte) error {
	e := &Error{Status: status}
	if json.Unmarshal(body, e) != nil || e.Code == "" {
		e.Code, e.Message = "http_error", strings.TrimSpace(string(body[:min(len(body), 300)]))
	}
	return fmt.Errorf("%s %s: %w", method, path, e)
}

// command sends a game command until the server answers it. The body carries the client's key, so a command resent
// after a lost response takes effect only once.
func (c *Client) command(ctx context.Context, path string, in, out any) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2500*time.Millisecond) {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := c.Call(attempt, http.MethodPost, path, in, out)
		cancel()
		var answer *Error
		if err == nil || errors.As(err, &answer) && answer.Status < 500 && answer.Status != http.StatusTooManyRequests {
			return err
		}
		if !Sleep(ctx, Jittered(wait)) {
			return errors.Join(err, ctx.Err())
		}
	}
}

// Jittered returns a random wait between half and one and a half times d, so that clients do not all retry at once.
func Jittered(d time.Duration) time.Duration { return d/2 + rand.N(d+1) }

// Sleep waits for d or until ctx ends, and reports whether ctx is still active.
func Sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
