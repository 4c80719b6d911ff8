package main

import (
	"os"
	"os/user"
	"strconv"

	"github.com/onestep-run/onestep/gate/guard"
)

// subject is who asks: the local user and this host's name, as the system has
// them. Variables such as USER are not asked: anybody can set them.
func subject() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return guard.Line(name+"@"+host, 256)
}
