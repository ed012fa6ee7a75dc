// Package archive keeps one whole event in one file, for ever: everything that was decided and played in it, for another machine to go
// through again and for anybody to check with nothing else at hand. README.md describes the file.
package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"meldhall/engine"
)

const (
	// Format and Version say what the file is; a reader refuses a higher version.
	Format  = "meldhall-archive"
	Version = 1

	manifestName = "manifest.json"
)

// The files of an archive besides its games.
const (
	eventName     = "event.json"
	formatName    = "format.json"
	rulesName     = "rules.json"
	playersName   = "players.json"
	roundsName    = "rounds.json"
	resultsName   = "results.json"
	rulingsName   = "rulings.json"
	seatingName   = "seating.json"
	standingsName = "standings.json"
	actionsName   = "actions.jsonl"
)

// topics are those files, all of which every archive has.
var topics = []string{actionsName, eventName, formatName, playersName, resultsName, roundsName, rulesName, rulingsName, seatingName, standingsName}

// gameNames are the names of the files of games.
var gameNames = regexp.MustCompile(`^games/([0-9]{4}|[1-9][0-9]{4,17})\.json$`)

func gameName(id int64) string { return fmt.Sprintf("games/%04d.json", id) }

// mayBeNamed tells whether an archive of this version has a file of a name.
func mayBeNamed(name string) bool {
	return name == manifestName || slices.Contains(topics, name) || gameNames.MatchString(name)
}

// Manifest says what an archive holds. Nothing in it depends on when or where it was made: two archives of the same event are equal.
type Manifest struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Program string    `json:"program"` // that made it
	Event   Summary   `json:"event"`
	LeftOut []LeftOut `json:"left_out"`
	// Tables counts the rows of each table. Records is the hash of the last record. Head covers the event; see
	// storage.EventHead.
	Tables  map[string]int `json:"tables"`
	Records string         `json:"records"`
	Head    string         `json:"head"`
	Files   []File         `json:"files"`
	// SHA256 is that of this file with the field empty, and so of all that the archive holds.
	SHA256 string `json:"sha256"`
}

// Summary is what an archive is of, for who decides whether to take it in. Until is the moment of the newest thing in it.
type Summary struct {
	Name    string        `json:"name"`
	Place   string        `json:"place"`
	Status  string        `json:"status"`
	Created engine.Millis `json:"created_at"`
	Until   engine.Millis `json:"until"`
	Players int           `json:"players"`
	Rounds  int           `json:"rounds"`
	Games   int           `json:"games"`
	Logs    int           `json:"logs"`
	Actions int           `json:"actions"`
}

// LeftOut is a game whose log is not in the archive, and why. Head is the hash of its last event, if the game is over.
type LeftOut struct {
	Game int64  `json:"game"`
	Why  string `json:"why"`
	Head string `json:"head,omitempty"`
}

// Why a log is left out: it was not over, tables play the same deal yet, or it cannot be read.
const (
	notOver    = "not_over"
	sealed     = "same_deal_in_play"
	unreadable = "unreadable"
)

// File is one file of an archive.
type File struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// text is the manifest as it is written, sealed by its own hash.
func (m Manifest) text() []byte {
	m.SHA256 = ""
	m.SHA256 = hashOf(m.bare())
	return m.bare()
}

func (m Manifest) bare() []byte {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // plain values
	}
	return append(data, '\n')
}

// program names this program with its version, where it was built with one.
func program() string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		return "meldhall " + info.Main.Version
	}
	return "meldhall"
}

// Archive is an archive in memory: its manifest, and its files by name.
type Archive struct {
	Manifest Manifest
	files    map[string][]byte
	// Notes name the facts that Verify could not check, or that were not decided yet.
	Notes []string
}

// games are the ids of the games whose logs are in it, in order.
func (a *Archive) names() []string {
	names := make([]string, 0, len(a.files))
	for name := range a.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// gameFiles are the names of the games' files, in order.
func (a *Archive) gameFiles() []string {
	return slices.DeleteFunc(a.names(), func(name string) bool { return !gameNames.MatchString(name) })
}
