package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// stat returns the fields of a process's stat file on Linux, starting with the state; nil elsewhere.
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

// ticks sums times given in clock ticks. USER_HZ is 100 on every Linux that Go supports.
func ticks(fields ...string) (sum time.Duration) {
	for _, field := range fields {
		n, _ := strconv.ParseInt(field, 10, 64)
		sum += time.Duration(n) * 10 * time.Millisecond
	}
	return sum
}

// processorOf returns a process's processor time.
func processorOf(pid int) time.Duration {
	if fields := stat(strconv.Itoa(pid)); fields != nil {
		return ticks(fields[11], fields[12])
	}
	return 0
}

// parentOf returns the parent of a process, or 0 if unknown.
func parentOf(pid int) int {
	fields := stat(strconv.Itoa(pid))
	if fields == nil {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// processorOfAll returns the processor time of a process and its children, including those that have ended.
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
