package proxy

import (
	"fmt"
	"slices"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
)

// wanted is the least level of the messages that a client wants for one call, and whether
// it wants any. Without a handshake each request names it.
func (u *upstream) wanted(r *request) (level string, some bool) {
	if r.modern {
		level = text(member(r.params["_meta"], metaLevel))
		return level, level != ""
	}
	level, _ = u.least.Load().(string)
	return level, true
}

// log sends the messages that the server logged during a call, before the answer. If a
// result is withheld, the host has no messages.
func (u *upstream) log(r *request, out host.Outcome) {
	least, some := u.wanted(r)
	if !some || r.cancelled.Load() {
		return
	}
	for _, one := range out.Logs {
		if slices.Index(session.Levels, one.Level) < slices.Index(session.Levels, least) {
			continue
		}
		logger := ""
		if one.Logger != "" {
			logger = fmt.Sprintf(`,"logger":%s`, quoted(one.Logger))
		}
		r.from.notify(noteLog, fmt.Appendf(nil, `{"level":%q%s,"data":%s}`, one.Level, logger, quoted(one.Text)))
	}
}
