package main

import (
	"os"

	"meldhall/cmd/internal/service"
)

// serviceCmd is the command meldhall service.
type serviceCmd struct {
	Install serviceInstallCmd `cmd:"" help:"Make the server a service, and start it."`
	Remove  serviceRemoveCmd  `cmd:"" help:"Stop the service and remove it. The data stay."`
}

type serviceInstallCmd struct{}

// Run installs the service.
func (serviceInstallCmd) Run() error { return service.Install(os.Stdout) }

type serviceRemoveCmd struct{}

// Run removes the service.
func (serviceRemoveCmd) Run() error { return service.Remove(os.Stdout) }
