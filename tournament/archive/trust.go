package archive

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"meldhall/engine/exact"
	"meldhall/tournament/transparency"
)

// Policy says whom a reader trusts: the keys of servers, and the keys of witnesses of which Need must have cosigned.
type Policy struct {
	Logs      []string `json:"logs"`
	Witnesses []string `json:"witnesses"`
	Need      int      `json:"need"`
}

// Basis is what a kind of fact rests on: mathematics, a signature, witnesses, or the operator's word.
type Basis struct {
	Fact, On string
}

// errTrust rejects a policy that cannot be met.
var errTrust = errors.New("the policy needs more witnesses than it names")

// Trust compares a verified archive with a policy and says what each kind of fact rests on. The error joins a Fault for
// each demand of the policy that the archive does not meet.
func (a *Archive) Trust(p Policy) ([]Basis, error) {
	if p.Need > len(p.Witnesses) {
		return nil, errTrust
	}
	order := "the operator's word: no policy names a server or a witness"
	faults := a.lateFacts()
	if len(p.Logs) > 0 || p.Need > 0 {
		signed, witnessed, err := a.trusted(p)
		if faults = append(faults, err...); len(faults) > 0 {
			return nil, errors.Join(faults...)
		}
		order = fmt.Sprintf("the signature of %s", signed)
		if p.Need > 0 {
			order += " and the witnesses " + strings.Join(witnessed, ", ")
		}
	}
	return []Basis{
		{"legality of each turn, scores, draws from their input, places and cuts", "mathematics"},
		{"what players did", signedPart(a.signed.SignedCommands, a.signed.Commands, "their tablets")},
		{"rulings at the tables", signedPart(a.signed.SignedRulings, a.signed.Rulings, "the officials' devices")},
		{"commitments, rulings, records and finished games unchanged since they were logged", order},
		{"the same history for everyone", order},
		{"who acted without a signature, times of day, real tiles, and the truth of facts when they were logged",
			"the operator's word"},
	}, nil
}

// signedPart says what actions rest on of which some are signed.
func signedPart(signed, all int, by string) string {
	if signed == 0 {
		return "the operator's word"
	}
	text := fmt.Sprintf("signatures of %s for %d of %d", by, signed, all)
	if signed < all {
		text += ", the operator's word for the others"
	}
	return text
}

// lateFacts returns a fault for each fact that is not in the log yet, which a policy does not accept.
func (a *Archive) lateFacts() (faults []error) {
	for _, text := range a.Notes {
		if strings.HasSuffix(text, notYet) {
			faults = append(faults, &Fault{logName, text})
		}
	}
	return faults
}

// trusted returns the name of the trusted server and of the trusted witnesses that have cosigned the newest checkpoint.
func (a *Archive) trusted(p Policy) (server string, witnesses []string, faults []error) {
	fault := func(format string, args ...any) (string, []string, []error) {
		return "", nil, []error{&Fault{logName, fmt.Sprintf(format, args...)}}
	}
	var file logFile
	if a.files[logName] == nil {
		return fault("there is no transparency log, so no server and no witness has signed the event")
	}
	if err := exact.Unmarshal(a.files[logName], &file); err != nil || len(file.Checkpoints) == 0 {
		return fault("the transparency log cannot be read")
	}
	if len(p.Logs) > 0 && !slices.Contains(p.Logs, file.Key) {
		return fault("the policy does not trust the server's key %s", file.Key)
	}
	key, err := note.NewVerifier(file.Key)
	if err != nil {
		return fault("the server's key: %v", err)
	}
	last := file.Checkpoints[len(file.Checkpoints)-1]
	at, err := transparency.OpenCheckpoint(last.Note, key)
	if err == nil {
		witnesses, err = p.cosigned(at, last.Note)
	}
	if err != nil {
		return fault("%v", err)
	}
	return key.Name(), witnesses, nil
}

// cosigned returns the names of the trusted witnesses that have cosigned a checkpoint. It returns an error if the policy
// needs more of them.
func (p Policy) cosigned(at transparency.Checkpoint, signed string) (witnesses []string, err error) {
	_, after, _ := strings.Cut(signed, "\n\n")
	lines := slices.Collect(strings.Lines(after))
	counted := map[string]bool{} // a witness with two entries counts once
	for _, vkey := range p.Witnesses {
		w, err := transparency.ParseWitness(vkey)
		if err != nil {
			return nil, fmt.Errorf("the policy's witness %.100q: %w", vkey, err)
		}
		if !counted[vkey] && slices.ContainsFunc(lines, func(line string) bool {
			_, err := at.CheckCosignature(line, w)
			return err == nil
		}) {
			counted[vkey], witnesses = true, append(witnesses, w.Name())
		}
	}
	if len(witnesses) < p.Need {
		return nil, fmt.Errorf("%d trusted witnesses have cosigned the checkpoint of %d leaves, the policy needs %d",
			len(witnesses), at.N, p.Need)
	}
	return witnesses, nil
}
