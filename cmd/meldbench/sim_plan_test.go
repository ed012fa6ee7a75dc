package main

import (
	"sync"
	"time"

	"meldhall/engine"
)

// simPlan holds the planned faults of a process's disk. It has a lock because any goroutine of the process may write.
type simPlan struct {
	mu        sync.Mutex
	fault     simFault // affects the next write
	armed     simFault // affects the next act that arrives
	stands    time.Duration
	tear      int
	refusedAt engine.Millis // nothing can be written since then; 0 if it can
}

// set plans a fault of one commit: of the next act that arrives if armed, otherwise of the next write of any kind.
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

// refuse makes the disk refuse all writes.
func (l *simPlan) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = diskRefuses
}

// mend makes the disk accept writes again.
func (l *simPlan) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = ""
}

// drop cancels all planned faults.
func (l *simPlan) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault, l.armed = "", ""
}

// arrives applies the fault planned for the next act.
func (l *simPlan) arrives() simFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fault == "" {
		l.fault, l.armed = l.armed, ""
	}
	return l.fault
}

// spare saves an act's fault for the next act if the current act wrote nothing.
func (l *simPlan) spare(armed simFault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if armed != "" && armed != diskRefuses && l.fault == armed {
		l.fault, l.armed = "", armed
	}
}

// meet returns the fault of the current commit.
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
