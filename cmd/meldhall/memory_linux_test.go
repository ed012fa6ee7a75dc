package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"meldhall/cmd/internal/client"
)

// memoryMost is how much more memory the program may use for unfinished requests: the total for unknown clients is
// limited.
const memoryMost = 192 << 20

// Hundreds of connections send bodies of the largest allowed size without their last byte, and headers that never end.
// The memory that the program uses for them stays bounded, and it still answers other clients.
func TestMemoryBesideWhatNeverEnds(t *testing.T) {
	server := launch(t, filepath.Join(t.TempDir(), "event.db"))
	defer func() { server.Kill() }()
	if _, err := client.SetUp(t.Context(), client.New(server.Base, client.NewTransport()), server.Setup, "Ada",
		"a long enough password"); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(server.Base, "http://")
	before := highWater(t, server.Pid())
	const large = 1 << 20
	text := bytes.Repeat([]byte("x"), large)
	send := func(head string, body []byte) net.Conn {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Write(append([]byte(head), body...)); err != nil && len(body) == 0 {
			t.Fatal(err) // a rejected body is not read to its end
		}
		return c
	}
	length := large - 1
	for i := range 400 {
		var c net.Conn
		switch i % 4 {
		case 0:
			c = send(fmt.Sprintf("POST /api/v1/sign-in HTTP/1.1\r\nHost: hall\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{\"name\":\"", length), text[:length-10])
		case 1: // one that does not say how long it is
			c = send("POST /api/v1/join HTTP/1.1\r\nHost: hall\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfff00\r\n{\"code\":\"", text[:large-256-10])
		case 2:
			c = send(fmt.Sprintf("POST /sign-in HTTP/1.1\r\nHost: hall\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\nname=", length), text[:length-6])
		case 3:
			c = send("GET / HTTP/1.1\r\nHost: hall\r\nX-Long: ", text[:15<<10])
		}
		defer c.Close()
	}
	resp, err := http.Get(server.Base + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("somebody else is answered %s", resp.Status)
	}
	after := highWater(t, server.Pid())
	t.Logf("the memory at most %d MiB before and %d MiB beside 400 connections that never end", before>>20, after>>20)
	if after-before > memoryMost {
		t.Errorf("%d MiB more, want at most %d", (after-before)>>20, memoryMost>>20)
	}
}

// highWater returns the peak memory use of a process, in bytes.
func highWater(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatal("the system does not tell")
	return 0
}
