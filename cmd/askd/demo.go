package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"

	"github.com/onestep-run/onestep/host/demo"
)

// startDemo serves the demo's servers at the loopback, for a service in a new folder.
func (o *options) startDemo(ctx context.Context, stdout io.Writer) (end func(), err error) {
	var servers []*http.Server
	end = func() {
		for _, s := range servers {
			_ = s.Close()
		}
	}
	if o.home == "" {
		if o.home, err = os.MkdirTemp("", "askd-demo-"); err != nil {
			return nil, err
		}
		say(stdout, "folder: %s\n", o.home)
	}
	o.networks = append(o.networks, netip.MustParsePrefix("127.0.0.0/8"))
	d := demo.New()
	for _, name := range d.Servers() {
		h, err := d.Handler(name)
		if err != nil {
			end()
			return nil, err
		}
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			end()
			return nil, err
		}
		s := &http.Server{Handler: h, ReadHeaderTimeout: headTime}
		servers = append(servers, s)
		go func() { _ = s.Serve(l) }() // until it is closed
		say(stdout, "server %s: http://%s\n", name, l.Addr())
	}
	return end, nil
}
