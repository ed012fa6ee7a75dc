package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// memory is the resident memory of the measured server in bytes, and processor its time on the processor; both
// are 0 where the system does not tell (outside Linux) and for a server that ran before.
func (t *loadTest) memory() int64 {
	if t.server == nil {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.server.Pid()))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}

func (t *loadTest) processor() time.Duration {
	if t.server == nil {
		return 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.server.Pid()))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // USER_HZ is 100 wherever Go runs on Linux
}
