//go:build !linux && !darwin

package copies

import (
	"path/filepath"
	"strings"
)

// sameDisk reports whether two folders are on the same drive. The root of a drive is on no other.
func sameDisk(a, b string) bool {
	return filepath.Clean(a) != filepath.Clean(b) && strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}
