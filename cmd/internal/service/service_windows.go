package service

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

const (
	account        = `NT AUTHORITY\LocalService` // may not change the system
	answersManager = true                        // Windows ends a service that does not
)

func isAdmin() bool { return windows.GetCurrentProcessToken().IsElevated() }

func installed() string { return filepath.Join(os.Getenv("ProgramFiles"), "Meldhall", "meldhall.exe") }

func dataFolder() string { return filepath.Join(os.Getenv("ProgramData"), "Meldhall") }

// own lets only the service, the system and administrators use the folder. The numbers name these accounts in every
// language of Windows.
func own(folder string) error {
	return runProgram("icacls", folder, "/inheritance:r", "/grant:r", "*S-1-5-19:(OI)(CI)F", "*S-1-5-18:(OI)(CI)F",
		"*S-1-5-32-544:(OI)(CI)F")
}
