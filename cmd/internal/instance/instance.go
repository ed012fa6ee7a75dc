// Package instance records which server serves a database file, so that other starts of the program on the same machine
// find it.
package instance

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"time"
)

// Kind is how a server was started.
type Kind string

// The kinds of starts.
const (
	Terminal Kind = "terminal" // by a person or a script, which alone can start it again
	Desktop  Kind = "desktop"  // by a person without a terminal
	Service  Kind = "service"  // by the system's service manager
)

// Instance is one run of a server. Its file stays when the server ends: whether the server still runs, only its answer
// shows.
type Instance struct {
	PID     int
	Kind    Kind
	Program string // path of the executable file
	Version string
	Address string // base URL of the server for this machine
	Key     string // of the pages about the computer; empty unless Kind is Desktop
	Token   string // of the first organizer, if Kind is Desktop and there was no account
}

// file returns the name of the file that records the server of a database.
func file(db string) string { return db + ".running" }

// Write records that the instance serves the database file db. Only the user of this process can read the record.
func (i Instance) Write(db string) error {
	text, err := json.Marshal(i)
	if err != nil {
		return err
	}
	part := file(db) + ".part"
	err = os.WriteFile(part, text, 0o600)
	if err == nil {
		err = os.Rename(part, file(db))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part))
	}
	return err
}

// Read returns the last instance that served the database file db. It is the zero Instance if none is recorded.
func Read(db string) (i Instance, err error) {
	text, err := os.ReadFile(file(db))
	if err == nil {
		err = json.Unmarshal(text, &i)
	}
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return i, err
}

// asked is how long an answer of a server on this machine may take.
const asked = 5 * time.Second

// request sends a request with the instance's key.
func (i Instance) request(ctx context.Context, method, path string) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, asked)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, i.Address+path, bytes.NewReader(nil))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Origin", i.Address)
	if i.Key != "" {
		req.AddCookie(&http.Cookie{Name: "meldhall-computer", Value: i.Key})
	}
	// The address is of this machine, and a certificate names the public one.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// Ready reports whether the server at the instance's address is ready for requests.
func (i Instance) Ready(ctx context.Context) bool {
	status, err := i.request(ctx, http.MethodGet, "/readyz")
	return err == nil && status == http.StatusOK
}

// Answers reports whether the server at the instance's address is the instance, started without a terminal.
func (i Instance) Answers(ctx context.Context) bool {
	if i.Key == "" {
		return false
	}
	status, err := i.request(ctx, http.MethodGet, "/computer/running")
	return err == nil && status == http.StatusNoContent
}

// Quit makes an instance that was started without a terminal stop. It does not wait for the end.
func (i Instance) Quit(ctx context.Context) error {
	status, err := i.request(ctx, http.MethodPost, "/computer/quit")
	if err == nil && status != http.StatusOK {
		err = errors.New("the server refuses to stop: " + http.StatusText(status))
	}
	return err
}

// Page returns the address of the page that shows a person the running server.
func (i Instance) Page() string {
	page := i.Address + "/computer?key=" + i.Key
	if i.Token != "" {
		page += "&token=" + i.Token
	}
	return page
}
