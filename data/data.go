// Package data is the files that the program carries: rule sets, formats, texts the demo's roster, and the licences of what others have made.
package data

import "embed"

// Rules holds rules/*.json, Formats formats/*.json, Locales locales/*.json, Regulations
// regulations/*.json, Demo demo/roster.csv.
var (
	//go:embed rules/*.json
	Rules embed.FS
	//go:embed formats/*.json
	Formats embed.FS
	//go:embed locales/*.json
	Locales embed.FS
	//go:embed regulations/*.json
	Regulations embed.FS
	//go:embed demo/roster.csv
	Demo embed.FS
	// Licences are the texts of the licences of everything that the program is linked with or carries.
	//go:embed licences.txt
	Licences string
)

//go:generate sh -c "go run ../cmd/internal/licences > licences.tmp && mv licences.tmp licences.txt"
