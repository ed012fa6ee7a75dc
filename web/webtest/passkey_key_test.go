package webtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"slices"
	"testing"
)

// softKey is a passkey device in software that can also give wrong answers.
type softKey struct {
	t     *testing.T
	key   *ecdsa.PrivateKey
	id    []byte
	count uint32
}

func newSoftKey(t *testing.T) *softKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := sha256.Sum256(key.X.Bytes())
	return &softKey{t, key, id[:16], 1}
}

func base64URL(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// asks returns the passkey options and the origin of a page.
func asks(p *leaf) (options, origin string) {
	for _, form := range find(p.doc, "form") {
		if attr(form, "data-passkey") != "" {
			options, origin = attr(form, "data-options"), attr(form, "data-origin")
		}
	}
	return options, origin
}

// said returns the client data that the browser adds and the authenticator data that the device signs.
func (k *softKey) said(kind, options, origin string, flags byte) (said, data []byte) {
	k.t.Helper()
	var asked struct{ Challenge string }
	if err := json.Unmarshal([]byte(options), &asked); err != nil {
		k.t.Fatalf("%v: %q", err, options)
	}
	said, err := json.Marshal(map[string]any{"type": kind, "challenge": asked.Challenge, "origin": origin,
		"crossOrigin": false})
	if err != nil {
		k.t.Fatal(err)
	}
	at, err := url.Parse(origin)
	if err != nil {
		k.t.Fatal(err)
	}
	party := sha256.Sum256([]byte(at.Hostname()))
	return said, binary.BigEndian.AppendUint32(append(party[:], flags), k.count)
}

func (k *softKey) answer(response map[string]string) string {
	k.t.Helper()
	text, err := json.Marshal(map[string]any{"id": base64URL(k.id), "rawId": base64URL(k.id), "type": "public-key",
		"clientExtensionResults": map[string]any{}, "response": response})
	if err != nil {
		k.t.Fatal(err)
	}
	return string(text)
}

// made returns the answer of a new key, with its COSE and CBOR encoded by hand.
func (k *softKey) made(options, origin string) string {
	k.t.Helper()
	said, data := k.said("webauthn.create", options, origin, 0x41)
	data = append(data, make([]byte, 16)...)
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(k.id))), k.id...)
	data = append(data, 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32)
	data = append(append(data, k.key.X.FillBytes(make([]byte, 32))...), 0x22, 0x58, 32)
	data = append(data, k.key.Y.FillBytes(make([]byte, 32))...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return k.answer(map[string]string{"clientDataJSON": base64URL(said),
		"attestationObject": base64URL(append(object, data...))})
}

// signed returns the answer of an existing key and increments its counter.
func (k *softKey) signed(options, origin string) string {
	k.t.Helper()
	k.count++
	said, data := k.said("webauthn.get", options, origin, 1)
	hash := sha256.Sum256(said)
	digest := sha256.Sum256(slices.Concat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, k.key, digest[:])
	if err != nil {
		k.t.Fatal(err)
	}
	return k.answer(map[string]string{"clientDataJSON": base64URL(said), "authenticatorData": base64URL(data),
		"signature": base64URL(signature)})
}
