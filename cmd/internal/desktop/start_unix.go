//go:build unix

package desktop

import (
	"os"
	"runtime"
	"syscall"
)

// Clicked reports whether the program was started from the desktop: it has no terminal, but a screen. On macOS only the
// Finder starts a program without arguments and without a terminal.
func Clicked() bool {
	if hasTerminal() {
		return false
	}
	return runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

// LeaveConsole does nothing: only Windows opens a console for a program.
func LeaveConsole() {}

func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
