package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"meldhall/cmd/internal/witness"
	"meldhall/engine/exact"
	"meldhall/tournament/archive"
	"meldhall/tournament/store"
)

// trusting is what a reader trusts when verifying a file.
type trusting struct {
	policy string   // the file of a policy, or empty
	states []string // the files of witnesses' states
}

// proofBegin is how a proof on paper begins.
const proofBegin = "c2sp.org/"

// proofMost limits the size of a proof.
const proofMost = 64 << 10

func readPolicy(file string) (p archive.Policy, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = exact.Unmarshal(text, &p)
	}
	if err != nil {
		err = fmt.Errorf("policy %s: %w", file, err)
	}
	return p, err
}

// verifyProof checks the proof of a code on paper offline, and says what it proves. Line endings may have changed on
// the way from the paper.
func verifyProof(out io.Writer, in io.Reader, by trusting) error {
	if by.policy == "" {
		return errors.New("verify: a proof needs --trust")
	}
	p, err := readPolicy(by.policy)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(in, proofMost))
	if err != nil {
		return err
	}
	clean := strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") + "\n"
	proven, err := p.Prove(clean)
	if err != nil {
		fmt.Fprintf(out, "proof: FAILED: %v\n", err)
		return fmt.Errorf("verify: the proof: %w", err)
	}
	fmt.Fprintf(out, "proof: ok: %s, in the log %s with %d leaves\n", proven.Leaf.Fact(), proven.Origin, proven.N)
	if proven.Row != nil {
		v := strings.Fields(proven.Row.Row)
		if len(v) != 6 {
			return errors.New("verify: the proof has a malformed row")
		}
		fmt.Fprintf(out, "player %s: place %s, stage %s, %s games, %s wins, total %s\n", v[1], v[0], v[2], v[3], v[4], v[5])
	} else {
		fmt.Fprintf(out, "hash %s\n", proven.Leaf.Hash)
	}
	fmt.Fprintf(out, "signed by the server %s; trusted witnesses: %s\n", proven.Server,
		cmp.Or(strings.Join(proven.Witnesses, ", "), "none"))
	fmt.Fprintln(out, "This shows that the fact is in the log unchanged. It does not show that the fact is true.")
	return nil
}

// compareWithWitnesses compares a verified archive with the states of witnesses.
func compareWithWitnesses(a *archive.Archive, files []string) error {
	for _, file := range files {
		var state witness.State
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &state)
		}
		seen := map[string]archive.Kept{}
		for origin, log := range state.Logs {
			seen[origin] = archive.Kept(*log)
		}
		if err == nil {
			err = a.Continues(seen)
		}
		if err != nil {
			return fmt.Errorf("witness %s: %w", file, err)
		}
	}
	return nil
}

// printHeads prints the head of each tournament, for comparison with a published one.
func printHeads(ctx context.Context, out io.Writer, db *store.DB) error {
	events, err := archive.Events(ctx, db)
	if err != nil {
		return err
	}
	for _, id := range events {
		records, games, err := store.HeadsOf(ctx, db.ReadSQL, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "event %d: head %s\n", id, store.EventHead(records, games))
	}
	return nil
}
