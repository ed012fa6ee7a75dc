package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"meldhall/cmd/internal/client"
)

// line is a plain HTTP/1.1 connection for commands, opened on demand.
type line struct {
	conn    net.Conn
	answers *bufio.Reader
}

// exchange sends one request and returns its response. After an error the next request opens a new connection.
func (l *line) exchange(ctx context.Context, api *client.Client, path string, body []byte) (status int, reply []byte,
	err error) {
	address := api.Base[len("http://"):]
	if l.conn == nil {
		if l.conn, err = (&net.Dialer{}).DialContext(ctx, "tcp", address); err != nil {
			return 0, nil, err
		}
		l.answers = bufio.NewReaderSize(l.conn, 4<<10)
	}
	if err := l.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return 0, nil, err
	}
	request := make([]byte, 0, 256+len(body))
	request = fmt.Appendf(request,
		"POST /api/v1%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, address, api.Token, len(body))
	if _, err = l.conn.Write(append(request, body...)); err == nil {
		status, reply, err = readAnswer(l.answers)
	}
	if err != nil {
		l.hangUp()
	}
	return status, reply, err
}

func readAnswer(r *bufio.Reader) (status int, body []byte, err error) {
	answer, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, err
}

func (l *line) hangUp() {
	if l.conn != nil {
		_ = l.conn.Close()
		l.conn = nil
	}
}
