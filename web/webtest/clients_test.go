//go:build long

package webtest

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/testmode"
)

// The generators of the clients, and what the generated code imports.
const (
	goGenerator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"
	goModule    = "module clients\n\ngo 1.26.0\n\nrequire github.com/oapi-codegen/runtime v1.9.0\n"
	scriptParts = "openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@20.19.0 esbuild@0.28.2"
	documents   = "@redocly/cli@2.77.0"
)

// called is what each client prints at the end.
const called = "21 calls\n"

// TestGeneratedClients generates a client in Go and one in TypeScript from the API document, compiles them, and lets
// each make calls, errors included. A linter of documents must find no error.
func TestGeneratedClients(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		testmode.SkipMissing(t, err)
	}
	for _, row := range []struct {
		name, document string
		make           []string // lines of a shell
		run            string   // the program that calls the server
	}{
		{"Go", "openapi-3.0.json", []string{
			"mkdir meldhall && go run " + goGenerator + " -generate types,client -package meldhall openapi-3.0.json" +
				" >meldhall/client.go",
			"go mod tidy && go build -o calls ."}, "./calls"},
		{"TypeScript", "openapi.json", []string{
			"npm install --no-audit --no-fund --silent " + scriptParts,
			"npx openapi-typescript openapi.json -o meldhall.ts",
			"npx tsc --strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler" +
				" --allowImportingTsExtensions --types node calls.ts",
			"npx esbuild calls.ts --bundle --platform=node --format=esm --outfile=calls.mjs --log-level=error",
			"npx --yes " + documents + " lint openapi.json >lint 2>&1 || { cat lint >&2; exit 1; }"},
			"node calls.mjs"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			e := newPublished(t, "Test", roster(4), nil)
			e.start()
			folder := t.TempDir()
			_, _, document := e.public().send(http.MethodGet, "/"+row.document, nil)
			write(t, filepath.Join(folder, row.document), document)
			write(t, filepath.Join(folder, "go.mod"), []byte(goModule))
			for from, to := range map[string]string{"calls.go.txt": "calls.go", "calls.ts": "calls.ts"} {
				text, err := os.ReadFile(filepath.Join("testdata", "clients", from))
				if err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(folder, to), text)
			}
			seat := e.round.Tables[0].Seats[0]
			call := fmt.Sprintf("%s %s/api/v1 '%s' %s %d %d %d", row.run, e.http.URL, password, seat.Code,
				e.id, e.round.ID, e.round.Tables[0].Games[0].ID)
			script := strings.Join(append(row.make, call), "\n")
			command := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
			command.Dir, command.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "CGO_ENABLED=0")
			if out, err := command.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), called) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
