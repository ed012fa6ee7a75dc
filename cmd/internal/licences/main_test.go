package main

import (
	"strings"
	"testing"

	"meldhall/data"
)

// TestLicencesAreThoseOfNow checks that the licences the program prints match the modules it is linked with now.
func TestLicencesAreThoseOfNow(t *testing.T) {
	var now strings.Builder
	if err := write(&now, "."); err != nil {
		t.Fatal(err)
	}
	if now.String() != data.Licences {
		t.Error("data/licences.txt is stale: run 'go generate ./data' and commit it")
	}
	for _, part := range []string{"\ngithub.com/gin-gonic/gin v", "\nhtmx\n", "\nsource-sans-3\n",
		"\nleaked-passwords\n", "\nnoto-sans-on-paper\n", "\nwenquanyi-micro-hei\n", "\nGo's standard library\n"} {
		if !strings.Contains(now.String(), part) {
			t.Errorf("there is no licence of %q", strings.TrimSpace(part))
		}
	}
}
