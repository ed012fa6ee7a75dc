package public

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"sync"

	"meldhall/data"
	"meldhall/templates/packed"
)

// Verifier is the page that checks archives by the specification alone, without a server. Policy is the security policy
// with which a browser runs its own script and style, and nothing else.
type Verifier struct {
	HTML   []byte
	Policy string
}

// TheVerifier returns the verifier that the program contains.
var TheVerifier = sync.OnceValues(func() (v Verifier, err error) {
	v.HTML, err = packed.Read(data.Verifier)
	v.Policy = fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'", hashIn(v.HTML, "script"), hashIn(v.HTML, "style"))
	return v, err
})

// hashIn returns the hash of the content of a page's only element of this name.
func hashIn(html []byte, element string) string {
	_, after, _ := bytes.Cut(html, []byte("<"+element+">"))
	content, _, _ := bytes.Cut(after, []byte("</"+element+">"))
	sum := sha256.Sum256(content)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
