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

	"meldhall/templates"
	sheet "meldhall/templates/paper"
	"meldhall/templates/pdf"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/venue"
)

// Folder is where the packs are kept, beside the database.
const Folder = "paper"

// calm is how long nothing has to change in an event before its pack is made: a publication changes several things at once.
const calm = 2 * time.Second

// share is the part of one processor that the packs of an event may take: a result that is confirmed changes the standings in them, and
// the score sheets of 500 tables take seconds, in which people play.
const share = 20

// Keeper makes the pack of an event's newest round whenever its seats have changed, so that it lies beside the database when the
// network, the server or the power fails.
type Keeper struct {
	venue   *venue.Venue
	texts   *templates.Texts
	address string
	calm    time.Duration
	ctx     context.Context // of the packs that are made by themselves, until Close
	stop    context.CancelFunc

	mu      sync.Mutex
	waiting map[int64]*time.Timer
	last    map[int64][32]byte // what the pack of an event was made of
	failed  map[int64]error
	rests   map[int64]time.Time // until when no pack of an event is made for its standings alone
	seats   map[int64]bool      // whose seats or people have changed since its pack was made
	closed  bool
	running sync.WaitGroup
	making  sync.Mutex
}

// NewKeeper makes a keeper of packs whose codes lead to an address.
func NewKeeper(v *venue.Venue, texts *templates.Texts, address string) *Keeper {
	k := &Keeper{venue: v, texts: texts, address: strings.TrimSuffix(address, "/"), calm: calm, waiting: map[int64]*time.Timer{}, last: map[int64][32]byte{}, failed: map[int64]error{}, rests: map[int64]time.Time{}, seats: map[int64]bool{}}
	k.ctx, k.stop = context.WithCancel(context.Background())
	return k
}

// Changed is told of every commit. It does not block.
func (k *Keeper) Changed(c door.Changed) {
	if c.Tournament != 0 && c.Has(door.TopicSeats, door.TopicPeople, door.TopicStandings) {
		k.soon(c.Tournament, c.Has(door.TopicSeats, door.TopicPeople))
	}
}

// soon makes the pack of an event once nothing has changed for a while.
func (k *Keeper) soon(event int64, seats bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	if timer := k.waiting[event]; timer != nil && timer.Stop() {
		k.running.Done()
	}
	k.running.Add(1)
	k.waiting[event] = time.AfterFunc(k.wait(event, seats), func() {
		defer k.running.Done()
		k.Remake(k.ctx, event)
	})
}

// wait is how long after a change the pack is made. Seats are on paper at once; standings are when the share allows it.
func (k *Keeper) wait(event int64, seats bool) time.Duration {
	k.seats[event] = k.seats[event] || seats
	if k.seats[event] {
		return k.calm
	}
	return max(k.calm, time.Until(k.rests[event]))
}

// Close lets no pack be made any more. One that is being made is given up, as nobody is to wait for it: Resume makes it, and those that
// were about to be.
func (k *Keeper) Close() {
	k.stop()
	k.mu.Lock()
	k.closed = true
	for event, timer := range k.waiting {
		if timer.Stop() {
			k.running.Done()
			k.due(event)
		}
	}
	k.mu.Unlock()
	k.running.Wait()
}

// due notes that the pack of an event is still to be made, for the next start.
func (k *Keeper) due(event int64) {
	_ = os.Mkdir(k.Folder(), 0o700)
	if err := os.WriteFile(filepath.Join(k.Folder(), fmt.Sprintf(dueName, event)), nil, 0o600); err != nil {
		slog.Error("a paper pack is not made anew", "event", event, "err", err)
	}
}

const dueName = "event-%d.due"

// Resume makes the packs that were not made when the program ended.
func (k *Keeper) Resume() {
	entries, _ := os.ReadDir(k.Folder()) // none was made yet
	for _, entry := range entries {
		var event int64
		if _, err := fmt.Sscanf(entry.Name(), dueName, &event); err == nil && os.Remove(filepath.Join(k.Folder(), entry.Name())) == nil {
			k.soon(event, true)
		}
	}
}

// Remake makes the pack of an event anew where something on it has changed, in the language and size that it has.
func (k *Keeper) Remake(ctx context.Context, event int64) {
	k.mu.Lock()
	delete(k.seats, event)
	k.mu.Unlock()
	size, tag := k.Wanted(event)
	began := time.Now()
	err := k.make(ctx, event, size, tag, false)
	if ctx.Err() != nil {
		k.due(event)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rests[event] = time.Now().Add(share * time.Since(began))
	if k.failed[event] = err; err != nil {
		slog.Error("the paper pack could not be kept", "event", event, "err", err)
	}
}

// Keep makes the pack of an event in a language and a size, which those that follow have too.
func (k *Keeper) Keep(ctx context.Context, event int64, size pdf.Size, tag string) error {
	err := k.make(ctx, event, size, tag, true)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed[event] = err
	return err
}

func (k *Keeper) make(ctx context.Context, event int64, size pdf.Size, tag string, always bool) error {
	k.making.Lock()
	defer k.making.Unlock()
	ctx = naming.InFull(k.texts.With(ctx, tag))
	p, err := printerOf(ctx, k.venue, rights.Staff(rights.RoleOrganizer, ""), event, 0, k.address)
	if errors.Is(err, refuse.ErrNotFound) { // it went with its organization
		k.drop(k.Of(event), "")
	}
	if err != nil || p.t.Rehearses != 0 {
		return nil // a practice table or a rehearsal has no pack
	}
	name := Kept{Event: event, Round: p.round.Number, Language: tag, Size: size.Name}.file()
	kept := k.Of(event)
	if !p.round.Underway() {
		if p.round.Status != tournament.RoundFinished { // it was taken back
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
	same := k.last[event] == of
	k.mu.Unlock()
	if same && !always && slices.ContainsFunc(kept, func(one Kept) bool { return one.file() == name }) {
		return nil
	}
	p.made = k.venue.Store.Now()
	if sheets, err = p.pack(ctx); err != nil {
		return err
	}
	if err := k.venue.Store.WriteBeside(Folder, name, func(file io.Writer) error { return sheet.Write(ctx, file, size, p.about(ctx, false), sheets...) }); err != nil {
		return err
	}
	k.mu.Lock()
	k.last[event] = of
	k.mu.Unlock()
	k.drop(kept, name)
	return nil
}

// drop removes packs that are no longer true.
func (k *Keeper) drop(kept []Kept, but string) {
	for _, one := range kept {
		if name := one.file(); name != but {
			if err := os.Remove(filepath.Join(k.Folder(), name)); err != nil && !os.IsNotExist(err) {
				slog.Error("an old paper pack stays", "file", name, "err", err)
			}
		}
	}
}

// Folder is where the packs lie.
func (k *Keeper) Folder() string {
	folder := filepath.Join(k.venue.Store.Folder(), Folder)
	if whole, err := filepath.Abs(folder); err == nil {
		return whole
	}
	return folder
}

// Failed is why the newest pack of an event could not be kept, nil where it could.
func (k *Keeper) Failed(event int64) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed[event]
}

// Kept is a pack beside the database.
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

// Of are the packs of an event that are kept, the newest first; of event 0 those of all.
func (k *Keeper) Of(event int64) (all []Kept) {
	entries, err := os.ReadDir(k.Folder())
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
		if event == 0 || one.Event == event {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b Kept) int { return b.At.Compare(a.At) })
	return all
}

// Wanted is in which size and language the packs of an event are made: as its last one, else as the last of another, else as the
// machine's own settings have it.
func (k *Keeper) Wanted(event int64) (pdf.Size, string) {
	for _, one := range append(k.Of(event), k.Of(0)...) {
		if size, known := pdf.SizeNamed(one.Size); known {
			return size, one.Language
		}
	}
	return machineWants(k.texts, os.Getenv)
}

// machineWants reads LC_ALL and LANG, such as it_IT.UTF-8: where paper is of another size than nearly everywhere, that one.
func machineWants(texts *templates.Texts, get func(string) string) (pdf.Size, string) {
	locale := get("LC_ALL")
	if locale == "" {
		locale = get("LANG")
	}
	locale, _, _ = strings.Cut(locale, ".")
	size := pdf.A4
	if _, region, ok := strings.Cut(locale, "_"); ok && slices.Contains([]string{"US", "CA", "MX", "PH", "CL", "CO"}, region) {
		size = pdf.Letter
	}
	return size, templates.LanguageOf(texts.With(context.Background(), strings.ReplaceAll(locale, "_", "-"))).Tag
}
