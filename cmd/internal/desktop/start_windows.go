package desktop

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel             = windows.NewLazySystemDLL("kernel32.dll")
	consoleProcessList = kernel.NewProc("GetConsoleProcessList")
	freeConsole        = kernel.NewProc("FreeConsole")
)

// Clicked reports whether the program was started from the desktop: Windows opened a console that only this process
// uses. In a terminal, the shell uses it, too.
func Clicked() bool {
	var ids [2]uint32
	n, _, _ := consoleProcessList.Call(uintptr(unsafe.Pointer(&ids[0])), uintptr(len(ids)))
	return n == 1
}

// LeaveConsole closes the console that Windows opened for this process.
func LeaveConsole() { _, _, _ = freeConsole.Call() }

func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
