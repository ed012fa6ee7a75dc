package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// stat is what Linux tells of a process, from its state on; nil elsewhere.
func stat(pid string) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	if fields := strings.Fields(rest); len(fields) > 14 {
		return fields
	}
	return nil
}

// ticks is a time that Linux tells: USER_HZ is 100 wherever Go runs on it.
func ticks(fields ...string) (sum time.Duration) {
	for _, field := range fields {
		n, _ := strconv.ParseInt(field, 10, 64)
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum
}

// processorOf is a process's time on the processor.
func processorOf(pid int) time.Duration {
	if fields := stat(strconv.Itoa(pid)); fields != nil {
		return ticks(fields[11], fields[12])
	}
	return 0
}

// parentOf is the process that started another one; 0: it is not known here.
func parentOf(pid int) int {
	fields := stat(strconv.Itoa(pid))
	if fields == nil {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// processorOfAll is the time on the processor of a process and of those that it has started, also of those that have ended.
func processorOfAll(pid int) (sum time.Duration) {
	if pid == 0 {
		return 0
	}
	if fields := stat(strconv.Itoa(pid)); fields != nil {
		sum += ticks(fields[11], fields[12], fields[13], fields[14])
	}
	all, _ := os.ReadDir("/proc")
	for _, one := range all {
		if fields := stat(one.Name()); fields != nil && fields[1] == strconv.Itoa(pid) {
			sum += ticks(fields[11], fields[12])
		}
	}
	return sum
}
