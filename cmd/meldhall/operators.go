package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// startOperators serves metrics and the profiler, each at its own loopback address.
func (p *program) startOperators(c serveCmd) error {
	watch := http.NewServeMux()
	watch.Handle("/metrics", p.watched.Handler())
	watch.Handle("/healthz", p.gate)
	watch.Handle("/readyz", p.gate) // available even after the public addresses are closed
	profile := http.NewServeMux()
	profile.HandleFunc("/debug/pprof/", pprof.Index)
	profile.HandleFunc("/debug/pprof/profile", pprof.Profile)
	for _, o := range []struct {
		what, address string
		handler       http.Handler
	}{{"metrics", c.Metrics, watch}, {"profiler", c.Profile, profile}} {
		if o.address == "" {
			continue
		}
		host, _, err := net.SplitHostPort(o.address)
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			return fmt.Errorf("%s: %q must be a loopback address, such as 127.0.0.1:6060", o.what,
				o.address)
		}
		listener, err := net.Listen("tcp", o.address)
		if err != nil {
			return fmt.Errorf("%s: %w", o.what, err)
		}
		s := &http.Server{Handler: o.handler, ReadHeaderTimeout: 5 * time.Second}
		p.others = append(p.others, s)
		go s.Serve(listener)
	}
	return nil
}
