// Package prepare provides what the commands need to set up a tournament or a game.
package prepare

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"

	"meldhall/data"
	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/preset"
)

// Presets returns the built-in presets together with those in dir's rules/ and formats/, which take precedence over
// built-in presets of the same name. An empty dir adds none.
func Presets(dir string) (preset.Library, error) {
	folders := []fs.FS{data.Rules, data.Formats}
	if dir != "" {
		if _, err := os.Stat(dir); err != nil {
			return preset.Library{}, fmt.Errorf("presets: %w", err)
		}
		folders = append(folders, os.DirFS(dir))
	}
	return preset.Load(folders...)
}

// Deal returns the nth deal of a seed.
func Deal(seed, n uint64) engine.Deal {
	rng := rand.New(rand.NewPCG(seed, n))
	order := func() tile.List {
		tiles := tile.List(tile.All())
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		return tiles
	}
	return engine.Deal{Pool: order(), Draws: order(), Salt: fmt.Sprintf("%016x%016x", rng.Uint64(), rng.Uint64())}
}

// Roster returns a roster file of n players with generated names.
func Roster(n int) []byte {
	roster := []byte("name\n")
	for i := range n {
		roster = fmt.Appendf(roster, "Player %03d\n", i+1)
	}
	return roster
}
