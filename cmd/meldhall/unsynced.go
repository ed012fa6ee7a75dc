//go:build unsynced

package main

import _ "meldhall/cmd/internal/unsynced/disk" // meldbench crash --power builds the program with it
