package service

import (
	"os"
)

const (
	account        = "daemon"
	answersManager = false // launchd sends SIGTERM
)

func isAdmin() bool { return os.Geteuid() == 0 }

func installed() string { return "/usr/local/bin/meldhall" }

func dataFolder() string { return "/Library/Application Support/Meldhall" }

func own(folder string) error { return runProgram("chown", "-R", account, folder) }
