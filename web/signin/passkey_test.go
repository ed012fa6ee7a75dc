package signin

import "testing"

// TestPasskeyPlace checks that origins are written as browsers write them, and that addresses without passkeys have
// none.
func TestPasskeyPlace(t *testing.T) {
	for address, want := range map[string]string{
		"https://Hall.example": "https://hall.example", "https://hall.example:443/": "https://hall.example",
		"https://hall.example:8443": "https://hall.example:8443",
		"http://localhost:8080":     "http://localhost:8080", "http://a.localhost": "http://a.localhost",
		"http://hall.example": "",
		"https://192.0.2.7":   "", "https://[2001:db8::1]:8443": "", "http://127.0.0.1:8080": "",
		"http://localhost.evil.example": "", "": "", "hall.example": "",
	} {
		if got, _ := passkeyPlace(address); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}
