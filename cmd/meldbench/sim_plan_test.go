package main

import (
	"sync"
	"time"

	"meldhall/engine"
)

// simPlan is what is planned for a process's disk. Writes come from whatever in the process wakes, hence the lock.
type simPlan struct {
	mu        sync.Mutex
	fault     simFault // of the next write
	armed     simFault // of the next act that arrives
	stands    time.Duration
	tear      int
	refusedAt engine.Millis // since when nothing can be written; 0: it can
}

// set plans a fault of one commit: of the next act that arrives, or of whatever is written next.
func (l *simPlan) set(fault simFault, armed bool, stands time.Duration, tear int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stands, l.tear = stands, tear
	if armed {
		l.armed = fault
	} else {
		l.fault = fault
	}
}

// refuse has the disk refuse all writes.
func (l *simPlan) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = diskRefuses
}

// mend has the disk write again.
func (l *simPlan) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = ""
}

// drop forgets all that is planned.
func (l *simPlan) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.armed = "", ""
}

// arrives lets an act that arrives meet what is planned for one.
func (l *simPlan) arrives() simFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault == "" {
		l.fault, l.armed = l.armed, ""
	}
	return l.fault
}

// spare keeps for the next act what the last one, that has written nothing, did not meet.
func (l *simPlan) spare(armed simFault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if armed != "" && armed != diskRefuses && l.fault == armed {
		l.fault, l.armed = "", armed
	}
}

// meet is what befalls a commit.
func (l *simPlan) meet() (fault simFault, stands time.Duration, tear int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fault = l.fault
	if fault != diskRefuses {
		l.fault = ""
	}
	return fault, l.stands, l.tear
}

func (l *simPlan) refuses() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault == diskRefuses
}
