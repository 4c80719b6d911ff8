package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Prefixes of ids that no flag and no variable may give. They are for a process of ask wrap,
// which nothing else can name, and for the client that started it.
const (
	ofWrap   = "wrap-"
	ofClient = "client-"
)

func (a *app) conversationFlag(f *cli.FlagSet) {
	f.StringVar(&a.conversation, "conversation", "", "the `ID` of the conversation that the call is part of, for grants and labels (else ASK_CONVERSATION)")
}

// conversing is the given conversation, "" for the run alone.
func (a *app) conversing() (string, error) {
	id := a.conversation
	if id == "" {
		id, _ = a.Env("ASK_CONVERSATION")
	}
	if strings.HasPrefix(id, ofWrap) || strings.HasPrefix(id, ofClient) {
		return "", cli.Usage(verdict.UsageFlag, "a conversation's name cannot begin with %s or %s: ask wrap uses those", ofWrap, ofClient)
	}
	return id, nil
}

// clientProcess identifies the process that started this one, so that all servers that a
// client wraps share its labels. If the start time is not known, later processes with the
// same id share them too: a label then lasts too long, and never too short.
func clientProcess() string {
	pid := os.Getppid()
	return fmt.Sprintf("%s%d-%s", ofClient, pid, startOf(pid))
}
