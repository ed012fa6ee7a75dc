package client

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// silence is how long a stream may stay silent before it counts as dead; the server pings every 15 s.
const silence = 40 * time.Second

// Message is one server-sent event. Data is valid until the next message is read.
type Message struct {
	ID, Name string
	Data     []byte
}

var (
	fieldID    = []byte("id:")
	fieldData  = []byte("data:")
	fieldEvent = []byte("event:")
)

// Follow reads a stream of server-sent events and calls each for every message. It returns when ctx ends, the callback
// returns an error, or the server rejects the request. A broken stream is resumed after the last ID. Before that,
// Follow waits for a jittered time, so that clients do not all reconnect at once.
func (c *Client) Follow(ctx context.Context, path string, each func(Message) error) error {
	last := ""
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		heard := false
		err := c.Stream(ctx, path, last, func(m Message) error {
			heard = true
			if m.ID != "" {
				last = m.ID
			}
			return each(m)
		})
		var mine *stopped
		var answer *Error
		switch {
		case errors.As(err, &mine):
			return mine.err
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &answer) && answer.Status < 500 && answer.Status != http.StatusTooManyRequests:
			return err
		case heard:
			wait = 200 * time.Millisecond
		}
		if !Sleep(ctx, Jittered(wait)) {
			return ctx.Err()
		}
	}
}

// stopped marks an error returned by the callback of Follow, to distinguish it from errors of the stream.
type stopped struct{ err error }

func (s *stopped) Error() string { return s.err.Error() }

// Stream reads one connection and calls each for every message, starting after the message with ID last; "" starts at
// the present. It returns when the connection ends, the callback returns an error, or the stream stays silent for too
// long.
func (c *Client) Stream(ctx context.Context, path, last string, each func(Message) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	req, err := c.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		return answerError(resp.StatusCode, http.MethodGet, path, body)
	}
	watchdog := time.AfterFunc(silence, cancel)
	defer watchdog.Stop()
	return readMessages(resp.Body, func(m Message) error {
		watchdog.Reset(silence)
		if len(m.Data) == 0 || m.Name != "" {
			return nil // a ping, or the end of the stream
		}
		if c.Seen != nil {
			c.Seen(path, m.Data)
		}
		if err := each(m); err != nil {
			return &stopped{err}
		}
		return nil
	})
}

// readMessages splits a body into server-sent events; a comment is passed on as a message without data.
func readMessages(body io.Reader, each func(Message) error) error {
	r := bufio.NewReaderSize(body, 16<<10)
	var m Message
	var data []byte
	for {
		line, err := streamLine(r)
		if err != nil {
			return err
		}
		switch {
		case len(line) == 0:
			m.Data = data
			if err := each(m); err != nil {
				return err
			}
			m, data = Message{}, data[:0]
		case bytes.HasPrefix(line, fieldData):
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(line[len(fieldData):], []byte(" "))...)
		case bytes.HasPrefix(line, fieldID):
			m.ID = string(bytes.TrimSpace(line[len(fieldID):]))
		case bytes.HasPrefix(line, fieldEvent):
			m.Name = string(bytes.TrimSpace(line[len(fieldEvent):]))
		case line[0] == ':':
			if err := each(Message{}); err != nil {
				return err
			}
		}
	}
}

// streamLine returns a line without its line ending, even one longer than the buffer.
func streamLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}
