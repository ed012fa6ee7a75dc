package request

import (
	"strings"
	"testing"
)

// TestBodyIsReadAlone checks that a reused body reader keeps nothing from one request to the next, whatever follows the
// body.
func TestBodyIsReadAlone(t *testing.T) {
	b := bodies.New().(*body)
	for i, text := range []string{`{"turn":7,"key":"abcdefgh"}`, "{\"turn\":8}\n\t \n", `{}`, ` {"key":"` +
		strings.Repeat("a", 5000) + `"}`, "\n{\"turn\":9}"} {
		var got, want TurnRequest
		if err := b.read(strings.NewReader(text), &got); err != nil {
			t.Fatalf("body %d: %v", i, err)
		}
		if err := bodies.New().(*body).read(strings.NewReader(text), &want); err != nil || got != want {
			t.Errorf("body %d is read as %+v, alone as %+v, %v", i, got, want, err)
		}
	}
}

// TestBodyIsOneObject checks that a body that is not exactly one object with expected fields is rejected, also by a
// reused reader.
func TestBodyIsOneObject(t *testing.T) {
	for _, text := range []string{``, ` `, `{`, `{"turn":7`, `{"turn":7}{"turn":8}`, `{"turn":7} x`, `{"turns":7}`,
		`{"turn":"7"}`, `{"turn":7}]`} {
		b := bodies.New().(*body)
		var r TurnRequest
		if err := b.read(strings.NewReader("{\"turn\":1} "), &r); err != nil {
			t.Fatal(err)
		}
		if err := b.read(strings.NewReader(text), &r); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestBodyTakesNoMemory checks that reading a command allocates only its strings.
func TestBodyTakesNoMemory(t *testing.T) {
	b, from, r := bodies.New().(*body), strings.NewReader(""), new(TurnRequest)
	if n := testing.AllocsPerRun(100, func() {
		from.Reset(`{"turn":7,"key":"abcdefgh"}`)
		if err := b.read(from, r); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("%v allocations a body", n)
	}
}
