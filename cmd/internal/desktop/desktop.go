// Package desktop is for a person who starts the program without a terminal, such as by a double click: it finds the
// folder for the data and a free port, and shows pages in the browser.
package desktop

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/cli/browser"
	"github.com/mattn/go-isatty"
)

// hasTerminal reports whether the process reads from or writes to a terminal.
func hasTerminal() bool {
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		if isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) {
			return true
		}
	}
	return false
}

// Folder returns the user's own folder for the program's data. It may not exist yet.
func Folder() (string, error) {
	switch runtime.GOOS {
	case "windows":
		local, err := os.UserCacheDir() // %LOCALAPPDATA%
		return filepath.Join(local, "Meldhall"), err
	case "darwin":
		support, err := os.UserConfigDir() // ~/Library/Application Support
		return filepath.Join(support, "Meldhall"), err
	}
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "meldhall"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share", "meldhall"), err
}

// usualPort is tried first, and then the ports that follow.
const usualPort = 8080

// FreePort returns a port on which no program of this machine listens: the one before if it is not 0, else 8080 or one
// of the next, else any.
func FreePort(before int) (int, error) {
	tries := []int{before}
	for port := usualPort; port < usualPort+20; port++ {
		tries = append(tries, port)
	}
	if before == 0 {
		tries = tries[1:]
	}
	for _, port := range append(tries, 0) {
		listener, err := net.Listen("tcp", fmt.Sprintf(":%d", port))
		if err == nil {
			port = listener.Addr().(*net.TCPAddr).Port
			return port, listener.Close()
		}
	}
	return 0, errors.New("no port is free")
}

// Open shows a page in the user's browser.
func Open(address string) error {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	return browser.OpenURL(address)
}

// Start starts a program that outlives this process, without a terminal.
func Start(program string, args ...string) (*exec.Cmd, error) {
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = apart()
	return cmd, cmd.Start()
}

// problemMost is how long the page about a problem can be opened.
const problemMost = time.Minute

// ShowProblem shows a person without a terminal in the browser why the program did not start. It waits until the page
// was read. The page comes from this process, because the disk may be full.
func ShowProblem(ctx context.Context, problem string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, shown := context.WithTimeout(ctx, problemMost)
	defer shown()
	server := &http.Server{ReadHeaderTimeout: problemMost, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" { // such as the icon
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			fmt.Fprintf(w, "<!doctype html><html lang=\"en\"><meta name=\"viewport\" content=\"width=device-width\">"+
				"<title>Meldhall did not start</title><h1>Meldhall did not start</h1><p>%s</p>"+
				"<p>Nothing was lost. When this is solved, start Meldhall again.</p></html>",
				html.EscapeString(problem))
			shown()
		})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if err := Open("http://" + listener.Addr().String() + "/"); err != nil {
		return errors.Join(err, server.Close())
	}
	<-ctx.Done()
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	err = server.Shutdown(ending)
	<-served
	return err
}
