//go:build unsynced

package main

import _ "meldhall/cmd/internal/unsynced/disk" // linked for meldbench crash --power
