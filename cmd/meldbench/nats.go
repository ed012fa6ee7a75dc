package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// natsCmd is the command meldbench nats: a NATS server in a separate process, so that its cost can be measured
// separately. It exits when its standard input closes.
type natsCmd struct{}

// Run runs the server.
func (natsCmd) Run() error {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		return err
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		return errors.New("NATS does not start")
	}
	fmt.Println(s.ClientURL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	return nil
}

// natsServer is a running NATS server.
type natsServer struct {
	url  string
	cmd  *exec.Cmd
	open io.Closer
}

// startNATS builds this command into a folder and starts it as a NATS server.
func startNATS(ctx context.Context, dir string) (*natsServer, error) {
	exe, err := buildCommand(ctx, dir, "meldbench")
	if err != nil {
		return nil, err
	}
	n := &natsServer{cmd: exec.Command(exe, "nats")}
	if n.open, err = n.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	if n.url, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		n.stop()
		return nil, errors.New("NATS does not start")
	}
	n.url = strings.TrimSpace(n.url)
	return n, nil
}

func (n *natsServer) stop() {
	n.open.Close()
	_ = n.cmd.Wait()
}
