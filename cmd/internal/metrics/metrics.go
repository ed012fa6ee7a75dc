// Package metrics exposes a running server's metrics to Prometheus. They contain only counts and measurements: no
// names, no personal addresses and no game contents.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/store"
)

// Metrics holds the metrics of one server. All except watched are created before the rest of the server.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	commits  prometheus.Histogram
	failed   prometheus.Counter
	turns    prometheus.Counter
	events   prometheus.Counter
	watched  []prometheus.Collector
}

// New returns an empty set of metrics, labelled with the program's version.
func New(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "meldhall_request_seconds",
			Help:    "Requests that were answered, by route, method and status, and how long the answer took. A stream is not among them.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10},
		}, []string{"route", "method", "status"}),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "meldhall_commit_seconds",
			Help:    "Commits to the log of games, and how long each took until it was on the disk.",
			Buckets: []float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5},
		}),
		failed: prometheus.NewCounter(prometheus.CounterOpts{Name: "meldhall_commits_failed_total",
			Help: "Commits to the log of games that failed."}),
		turns: prometheus.NewCounter(prometheus.CounterOpts{Name: "meldhall_turns_total",
			Help: "Turns that were played, at all tables."}),
		events: prometheus.NewCounter(prometheus.CounterOpts{Name: "meldhall_log_events_total",
			Help: "Events that were written to the log of games."}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "meldhall_build_info",
		Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	m.registry.MustRegister(m.requests, m.commits, m.failed, m.turns, m.events, info, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler returns a handler that serves all metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Answered records a request that was answered. route is the pattern of its path, or "" if no route matched.
func (m *Metrics) Answered(route, method string, status int, took time.Duration) {
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// Committed records a commit to the games' log.
func (m *Metrics) Committed(c game.Commit) {
	m.commits.Observe(c.Took.Seconds())
	if c.Err != nil {
		m.failed.Inc()
		return
	}
	m.events.Add(float64(c.Events))
	m.turns.Add(float64(c.Turns))
}

// Watch adds the gauges that are read from the running server on demand. They replace those of a server watched before.
func (m *Metrics) Watch(log *game.Log, games *game.Games, streams func() int, db *store.DB) {
	for _, before := range m.watched {
		m.registry.Unregister(before)
	}
	m.watched = nil
	for _, g := range []struct {
		name, help string
		value      func() float64
	}{
		{"meldhall_streams", "Streams that are open: pages, tablets and programs that listen.",
			func() float64 { return float64(streams()) }},
		{"meldhall_commit_queue", "Commands that wait for their commit.",
			func() float64 { return float64(log.Waiting()) }},
		{"meldhall_writes_refused",
			"1 while nothing can be written, and the clocks of all tables stand; 0: all is well.",
			func() float64 { return oneIf(games.Unwritten() != 0) }},
		{"meldhall_gaps",
			"Gaps since the start in which the program was held up, or could not write; players got the time back.",
			func() float64 { return float64(games.Gaps()) }},
		{"meldhall_database_bytes", "Size of the database.",
			func() float64 { size, _ := db.Bytes(); return float64(size) }},
		{"meldhall_database_wal_bytes", "Size of the log of writes beside it; 0 where a server keeps it.",
			func() float64 { _, log := db.Bytes(); return float64(log) }},
	} {
		gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.name, Help: g.help}, g.value)
		m.registry.MustRegister(gauge)
		m.watched = append(m.watched, gauge)
	}
}

// WatchNodes adds the metrics of a node that shares its database with other nodes. It must be called only once.
func (m *Metrics) WatchNodes(of *cluster.Cluster, hints func() (sent, heard int64)) {
	for _, g := range []struct {
		name, help string
		value      func() float64
	}{
		{"meldhall_nodes", "Programs that serve the database together, this one among them.",
			func() float64 { return float64(len(of.Nodes())) }},
		{"meldhall_leases", "Shards of games whose clocks this program keeps.",
			func() float64 { return float64(of.Leases()) }},
		{"meldhall_hints_sent_total", "Hints to the other programs.",
			func() float64 { sent, _ := hints(); return float64(sent) }},
		{"meldhall_hints_heard_total", "Hints of the other programs.",
			func() float64 { _, heard := hints(); return float64(heard) }},
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: g.name, Help: g.help}, g.value))
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
