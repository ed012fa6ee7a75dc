//go:build !linux && !darwin

package copies

import (
	"path/filepath"
	"strings"
)

// sameDisk tells whether two folders are on the same drive. A drive itself is on none other.
func sameDisk(a, b string) bool {
	return filepath.Clean(a) != filepath.Clean(b) && strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}
