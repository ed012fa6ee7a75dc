//go:build !linux && !darwin

package copies

import (
	"path/filepath"
	"strings"
)

// sameDisk reports whether two folders are on the same drive. It returns false for equal folders, because the root of a
// drive is its own parent but counts as another disk.
func sameDisk(a, b string) bool {
	return filepath.Clean(a) != filepath.Clean(b) && strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}
