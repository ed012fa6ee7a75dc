package signing

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine"
)

// Ruled is an official's signed action: data/record/signature.md, section 5.
type Ruled struct {
	Seq       int           `json:"seq,omitempty" doc:"of the ruling's event in the log of its game"`
	Key       string        `json:"key"`
	At        engine.Millis `json:"at" doc:"by the clock of the official's device"`
	Content   string        `json:"content" doc:"the address, then the fields, one a line"`
	Signature string        `json:"signature"`
}

// ParseRuled reads what an official's device sends with a form: the event's number, the key, the time and the signature
// in the first line, then the content.
func ParseRuled(text string) (event int64, r Ruled, err error) {
	first, content, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	words := strings.Split(first, " ")
	if len(words) != 4 {
		return 0, r, fmt.Errorf("a signature has 4 words, not %d", len(words))
	}
	r = Ruled{Key: words[1], Content: content, Signature: words[3]}
	at, err := strconv.ParseInt(words[2], 10, 64)
	if err == nil {
		event, err = strconv.ParseInt(words[0], 10, 64)
	}
	r.At = engine.Millis(at)
	return event, r, err
}

// Holds reports whether the signature is that of the key for this content in an event.
func (r Ruled) Holds(event int64) bool {
	return Signed{Key: r.Key, Signature: r.Signature,
		Statement: hashed("meldhall ruling v1", event, int64(r.At), r.Content)}.Holds()
}

// Sign signs an official's action as the official's device does.
func (d Device) SignRuling(event int64, at engine.Millis, content string) Ruled {
	statement := hashed("meldhall ruling v1", event, int64(at), content)
	return Ruled{Key: d.Key(), At: at, Content: content,
		Signature: base64.RawURLEncoding.EncodeToString(ed25519.Sign(d.Private, []byte(statement)))}
}

// Address returns the address to which the signed form was sent.
func (r Ruled) Address() string {
	address, _, _ := strings.Cut(r.Content, "\n")
	return address
}

// Fields returns the signed fields.
func (r Ruled) Fields() map[string][]string {
	fields := map[string][]string{}
	_, lines, _ := strings.Cut(r.Content, "\n")
	for line := range strings.Lines(lines) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		fields[name] = append(fields[name], value)
	}
	return fields
}

// Fits reports whether the content is that of a form sent to an address.
func (r Ruled) Fits(address string, form map[string][]string) bool {
	if r.Address() != address {
		return false
	}
	for name, values := range r.Fields() {
		if !slices.Equal(values, form[name]) {
			return false
		}
	}
	return true
}
