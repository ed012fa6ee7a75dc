package paper

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"meldhall/templates/locale"
	sheet "meldhall/templates/paper"
	"meldhall/templates/pdf"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/view"
)

// Folder is the name of the folder for the packs, next to the database.
const Folder = "paper"

// calm is how long a tournament must not change before its pack is made, because a publication causes several changes.
const calm = 2 * time.Second

// share limits the processor time spent on the packs of a tournament to 1/share of the time. Each confirmed result
// changes the standings in the pack, and the score sheets of 500 tables take seconds while people play.
const share = 20

// Keeper makes the pack of the newest round whenever its contents may have changed: the seats, the people or the
// standings. The pack is then available next to the database if the network, the server or the power fails.
type Keeper struct {
	venue   *view.Reader
	texts   *locale.Texts
	address string
	calm    time.Duration
	ctx     context.Context // for packs made automatically; canceled by Close
	stop    context.CancelFunc

	mu      sync.Mutex
	waiting map[int64]*time.Timer
	last    map[int64][32]byte // hash of the content of a tournament's pack
	failed  map[int64]error
	rests   map[int64]time.Time // no pack only for new standings before this time
	seats   map[int64]bool      // seats or people have changed since the pack was made
	closed  bool
	running sync.WaitGroup
	making  sync.Mutex
}

// NewKeeper returns a Keeper whose packs contain codes that lead to address.
func NewKeeper(v *view.Reader, texts *locale.Texts, address string) *Keeper {
	k := &Keeper{venue: v, texts: texts, address: strings.TrimSuffix(address, "/"), calm: calm,
		waiting: map[int64]*time.Timer{}, last: map[int64][32]byte{}, failed: map[int64]error{},
		rests: map[int64]time.Time{}, seats: map[int64]bool{}}
	k.ctx, k.stop = context.WithCancel(context.Background())
	return k
}

// Changed is called after every commit. It does not block.
func (k *Keeper) Changed(c action.Changed) {
	if c.Tournament != 0 && c.Has(action.TopicSeats, action.TopicPeople, action.TopicStandings) {
		k.soon(c.Tournament, c.Has(action.TopicSeats, action.TopicPeople))
	}
}

// soon schedules making the pack of a tournament after a time without changes. seats reports whether seats or people
// have changed, rather than only the standings.
func (k *Keeper) soon(tournamentID int64, seats bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	if timer := k.waiting[tournamentID]; timer != nil && timer.Stop() {
		k.running.Done()
	}
	k.running.Add(1)
	k.waiting[tournamentID] = time.AfterFunc(k.wait(tournamentID, seats), func() {
		defer k.running.Done()
		k.remake(k.ctx, tournamentID)
	})
}

// wait returns how long after a change the pack is made. Changes of seats or people get a pack soon; new standings wait
// until share allows it. The caller must hold k.mu.
func (k *Keeper) wait(tournamentID int64, seats bool) time.Duration {
	k.seats[tournamentID] = k.seats[tournamentID] || seats
	if k.seats[tournamentID] {
		return k.calm
	}
	return max(k.calm, time.Until(k.rests[tournamentID]))
}

// Close stops making packs. It cancels a pack in progress and waits until that has ended. After the next start, Resume
// makes this pack and those that were scheduled.
func (k *Keeper) Close() {
	k.stop()
	k.mu.Lock()
	k.closed = true
	for tournamentID, timer := range k.waiting {
		if timer.Stop() {
			k.running.Done()
			k.due(tournamentID)
		}
	}
	k.mu.Unlock()
	k.running.Wait()
}

// due records for the next start that the pack of a tournament still has to be made.
func (k *Keeper) due(tournamentID int64) {
	_ = os.Mkdir(k.folder(), 0o700)
	if err := os.WriteFile(filepath.Join(k.folder(), fmt.Sprintf(dueName, tournamentID)), nil, 0o600); err != nil {
		slog.Error("updating a paper pack failed", "event", tournamentID, "err", err)
	}
}

const dueName = "event-%d.due"

// Resume makes the packs that were still due when the program ended.
func (k *Keeper) Resume() {
	entries, _ := os.ReadDir(k.folder()) // on error none was made yet
	for _, entry := range entries {
		var tournamentID int64
		if _, err := fmt.Sscanf(entry.Name(), dueName, &tournamentID); err == nil &&
			os.Remove(filepath.Join(k.folder(), entry.Name())) == nil {
			k.soon(tournamentID, true)
		}
	}
}

// remake makes the pack of a tournament again if its content has changed, in the same language and size.
func (k *Keeper) remake(ctx context.Context, tournamentID int64) {
	k.mu.Lock()
	delete(k.seats, tournamentID)
	k.mu.Unlock()
	size, tag := k.wanted(tournamentID)
	began := time.Now()
	err := k.make(ctx, tournamentID, size, tag, false)
	if ctx.Err() != nil {
		k.due(tournamentID)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rests[tournamentID] = time.Now().Add(share * time.Since(began))
	if k.failed[tournamentID] = err; err != nil {
		slog.Error("storing a paper pack failed", "event", tournamentID, "err", err)
	}
}

// keep makes the pack of a tournament in the given size and language, which later packs will use too.
func (k *Keeper) keep(ctx context.Context, tournamentID int64, size pdf.Size, tag string) error {
	err := k.make(ctx, tournamentID, size, tag, true)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed[tournamentID] = err
	return err
}

func (k *Keeper) make(ctx context.Context, tournamentID int64, size pdf.Size, tag string, always bool) error {
	k.making.Lock()
	defer k.making.Unlock()
	ctx = displayname.InFull(k.texts.With(ctx, tag))
	p, err := printerOf(ctx, k.venue, rights.Staff(rights.RoleOrganizer, ""), tournamentID, 0, k.address)
	if errors.Is(err, refuse.ErrNotFound) { // deleted with its organization
		k.drop(k.of(tournamentID), "")
	}
	if err != nil || p.t.Rehearses != 0 {
		return nil // no error: practice tables and rehearsals have no pack
	}
	name := Kept{Event: tournamentID, Round: p.round.Number, Language: tag, Size: size.Name}.file()
	kept := k.of(tournamentID)
	if !p.round.Underway() {
		if p.round.Status != tournament.RoundFinished { // the publication was withdrawn
			k.drop(kept, "")
		}
		return nil
	}
	p.made = time.Time{}
	sheets, err := p.pack(ctx)
	if err != nil {
		return err
	}
	of := sha256.Sum256(fmt.Appendf(nil, "%+v", sheets))
	k.mu.Lock()
	same := k.last[tournamentID] == of
	k.mu.Unlock()
	if same && !always && slices.ContainsFunc(kept, func(one Kept) bool { return one.file() == name }) {
		return nil
	}
	p.made = k.venue.Store.Now()
	if sheets, err = p.pack(ctx); err != nil {
		return err
	}
	if err := k.venue.Store.WriteBeside(Folder, name, func(file io.Writer) error {
		return sheet.Write(ctx, file, size,
			p.about(ctx, false), sheets...)
	}); err != nil {
		return err
	}
	k.mu.Lock()
	k.last[tournamentID] = of
	k.mu.Unlock()
	k.drop(kept, name)
	return nil
}

// drop removes outdated packs, except for the file named but.
func (k *Keeper) drop(kept []Kept, but string) {
	for _, one := range kept {
		if name := one.file(); name != but {
			if err := os.Remove(filepath.Join(k.folder(), name)); err != nil && !os.IsNotExist(err) {
				slog.Error("removing an old paper pack failed", "file", name, "err", err)
			}
		}
	}
}

// folder returns the path of the folder with the packs.
func (k *Keeper) folder() string {
	folder := filepath.Join(k.venue.Store.Folder(), Folder)
	if whole, err := filepath.Abs(folder); err == nil {
		return whole
	}
	return folder
}

// Failed returns why the newest pack of a tournament could not be stored, or nil.
func (k *Keeper) Failed(tournamentID int64) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed[tournamentID]
}

// Kept is a stored pack.
type Kept struct {
	Event    int64
	Round    int
	Language string
	Size     string
	At       time.Time
}

func (p Kept) file() string {
	return fmt.Sprintf("event-%d-round-%d.%s.%s.pdf", p.Event, p.Round, p.Language, p.Size)
}

var keptName = regexp.MustCompile(`^event-(\d+)-round-(\d+)\.([A-Za-z-]+)\.([a-z0-9]+)\.pdf$`)

// of returns the stored packs of a tournament, newest first, or those of all tournaments if tournamentID is 0.
func (k *Keeper) of(tournamentID int64) (all []Kept) {
	entries, err := os.ReadDir(k.folder())
	if err != nil { // none was made yet
		return nil
	}
	for _, entry := range entries {
		found := keptName.FindStringSubmatch(entry.Name())
		info, err := entry.Info()
		if found == nil || err != nil {
			continue
		}
		one := Kept{Language: found[3], Size: found[4], At: info.ModTime()}
		one.Event, _ = strconv.ParseInt(found[1], 10, 64)
		one.Round, _ = strconv.Atoi(found[2])
		if tournamentID == 0 || one.Event == tournamentID {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return b.At.Compare(a.At) })
	return all
}

// wanted returns the size and language for a tournament's packs: those of its latest pack, otherwise of another
// tournament's latest, otherwise those of the machine's locale.
func (k *Keeper) wanted(tournamentID int64) (pdf.Size, string) {
	for _, one := range append(k.of(tournamentID), k.of(0)...) {
		if size, known := pdf.SizeNamed(one.Size); known {
			return size, one.Language
		}
	}
	return machineWants(k.texts, os.Getenv)
}

// machineWants returns the size and language of the locale in LC_ALL or LANG, such as it_IT.UTF-8. The size is A4
// except in the few regions that use Letter.
func machineWants(texts *locale.Texts, get func(string) string) (pdf.Size, string) {
	language := get("LC_ALL")
	if language == "" {
		language = get("LANG")
	}
	language, _, _ = strings.Cut(language, ".")
	size := pdf.A4
	if _, region, ok := strings.Cut(language, "_"); ok && slices.Contains([]string{"US", "CA", "MX", "PH", "CL", "CO"},
		region) {
		size = pdf.Letter
	}
	return size, locale.LanguageOf(texts.With(context.Background(), strings.ReplaceAll(language, "_", "-"))).Tag
}
