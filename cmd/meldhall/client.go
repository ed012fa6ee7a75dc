package main

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
	"strings"
	"time"
)

// client is a program's side of /api/v1: of a member of the staff, of a player, or of the public when
// it has no token. It may be used by many goroutines once the token is set.
type client struct {
	base  string // http://127.0.0.1:8080
	token string
	http  *http.Client
	// seen, if set, gets every body that the server sent, for the test that looks for leaks.
	seen func(path string, body []byte)
}

// apiError is a refusal as the server words it.
type apiError struct {
	Status  int
	Code    string          `json:"code"`
	Message string          `json:"message"`
	View    json.RawMessage `json:"view"`
}

// Error is the message with its status and code.
func (e *apiError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// refused tells whether err is the server's refusal with one of the codes; without codes, any refusal.
func refused(err error, codes ...string) bool {
	var e *apiError
	if !errors.As(err, &e) {
		return false
	}
	for _, code := range codes {
		if e.Code == code {
			return true
		}
	}
	return len(codes) == 0
}

// newTransport makes connections that many clients of one process share; limits are those of a load test.
func newTransport() *http.Transport {
	return &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		MaxIdleConns:        4096,
		MaxIdleConnsPerHost: 4096,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
}

func newClient(base string, transport http.RoundTripper) *client {
	return &client{base: strings.TrimSuffix(base, "/"), http: &http.Client{Transport: transport}}
}

// with gives the same server under another token.
func (c *client) with(token string) *client {
	other := *c
	other.token = token
	return &other
}

// call sends one request under /api/v1. in is sent as JSON unless it is a body of its own kind; out, if
// not nil, is read from the answer. A refusal is an *apiError.
func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	req, err := c.request(ctx, method, path, in)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err != nil {
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	if c.seen != nil {
		c.seen(path, body)
	}
	if resp.StatusCode >= 400 {
		return answerError(resp.StatusCode, method, path, body)
	}
	if out == nil || len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return nil
}

// csvBody is a request's body that is sent as it is.
type csvBody []byte

func (c *client) request(ctx context.Context, method, path string, in any) (*http.Request, error) {
	var body io.Reader
	kind := "application/json"
	switch in := in.(type) {
	case nil:
	case csvBody:
		body, kind = bytes.NewReader(in), "text/csv; charset=utf-8"
	default:
		data, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+"/api/v1"+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return req, nil
}

func answerError(status int, method, path string, body []byte) error {
	e := &apiError{Status: status}
	if json.Unmarshal(body, e) != nil || e.Code == "" {
		e.Code, e.Message = "http_error", strings.TrimSpace(string(body[:min(len(body), 300)]))
	}
	return fmt.Errorf("%s %s: %w", method, path, e)
}

// command sends a game command until it is answered. The body carries the client's key, so that a
// command whose answer was lost is sent again and still happens once.
func (c *client) command(ctx context.Context, path string, in, out any) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2500*time.Millisecond) {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := c.call(attempt, http.MethodPost, path, in, out)
		cancel()
		var answer *apiError
		if err == nil || errors.As(err, &answer) && answer.Status < 500 && answer.Status != http.StatusTooManyRequests {
			return err
		}
		if !sleep(ctx, jittered(wait)) {
			return errors.Join(err, ctx.Err())
		}
	}
}

// jittered spreads waits over half to one and a half of d, so that clients do not all come back at once.
func jittered(d time.Duration) time.Duration { return d/2 + rand.N(d+1) }

// sleep waits, and tells whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
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
