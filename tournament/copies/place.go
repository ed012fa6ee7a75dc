package copies

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// Place is where copies can go: a stick or another disk that the machine has, or a folder that its operator names. Organizers choose among
// these and can name no other. Root is the stick itself; the copies are in the folder below it.
type Place struct {
	Root   string
	Folder string
	Free   uint64 // bytes; not known on every system
	Known  bool
}

// Beside is the place that there always is: the folder backups beside the database. Its Folder is empty.
func Beside(d *door.Desk) Place {
	p := Place{Root: d.DB.FolderOf("")}
	p.Free, p.Known = storage.DiskFree(d.DB.Folder())
	return p
}

// below is the folder of the copies on a stick.
const below = "meldhall"

// where a system shows its sticks.
var mounts = map[string][]string{
	"linux":   {"/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*"},
	"darwin":  {"/Volumes/*"},
	"windows": {`D:\`, `E:\`, `F:\`, `G:\`, `H:\`, `I:\`, `J:\`, `K:\`, `L:\`, `M:\`},
}

// Places are all that there are now: the one beside the database first.
func Places(d *door.Desk) []Place {
	places := []Place{Beside(d)}
	add := func(root string) {
		p := Place{Root: root, Folder: filepath.Join(root, below)}
		if p.Free, p.Known = storage.DiskFree(root); !slices.ContainsFunc(places, func(q Place) bool { return q.Root == root }) {
			places = append(places, p)
		}
	}
	for _, root := range d.Machine.CopyTo {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			add(root)
		}
	}
	for _, pattern := range mounts[runtime.GOOS] {
		roots, _ := filepath.Glob(pattern) // a pattern of ours is none that is wrong
		for _, root := range roots {
			if info, err := os.Stat(root); err == nil && info.IsDir() && !sameDisk(root, filepath.Dir(root)) {
				add(root)
			}
		}
	}
	return places
}

// placeOf finds a place by the folder of its copies.
func placeOf(d *door.Desk, folder string) (Place, error) {
	places := Places(d)
	i := slices.IndexFunc(places, func(p Place) bool { return p.Folder == folder })
	if i < 0 {
		return Place{}, refuse.Conflict("err_copy_place", "folder", folder)
	}
	return places[i], nil
}

// Made tells why a copy was made, by its name.
type Made string

// Why copies are made.
const (
	MadeByHand   Made = "hand"    // or before something final
	MadeByItself Made = "auto"    // as the plan says
	MadeVersion  Made = "version" // before a newer program changed the tables
	MadeRestore  Made = "restore" // the database that a copy took the place of
)

// auto marks the names of copies that the program makes by itself.
const auto = "-auto"

var (
	autoName    = regexp.MustCompile(auto + `-\d{8}-\d{6}\.\d{3}(-\d+)?\.db$`)
	versionName = regexp.MustCompile(`-of-version-\d+-\d{8}-`)
	restoreName = regexp.MustCompile(`-before-restore-\d{8}-`)
)

// Copy is a file in one of the places.
type Copy struct {
	Folder string // of its place
	File   string
	At     int64 // when it was written, in ms
	Bytes  int64
	Made   Made
}

// Path is where it lies.
func (c Copy) Path(d *door.Desk) string { return filepath.Join(d.DB.FolderOf(c.Folder), c.File) }

// List gives the copies in all places, the newest first.
func List(d *door.Desk) (all []Copy) {
	for _, p := range Places(d) {
		all = append(all, inFolder(d, p.Folder)...)
	}
	slices.SortStableFunc(all, func(a, b Copy) int { return cmp.Compare(b.At, a.At) })
	return all
}

// inFolder gives the copies in one place; where it cannot be read, none.
func inFolder(d *door.Desk, folder string) (all []Copy) {
	files, _ := os.ReadDir(d.DB.FolderOf(folder))
	for _, file := range files {
		info, err := file.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(file.Name()) != ".db" || info.Size() == 0 {
			continue
		}
		c := Copy{Folder: folder, File: file.Name(), At: info.ModTime().UnixMilli(), Bytes: info.Size(), Made: MadeByHand}
		switch {
		case autoName.MatchString(c.File):
			c.Made = MadeByItself
		case versionName.MatchString(c.File):
			c.Made = MadeVersion
		case restoreName.MatchString(c.File):
			c.Made = MadeRestore
		}
		all = append(all, c)
	}
	return all
}

// found finds a copy by its place and its name, which leads to no other folder.
func found(d *door.Desk, folder, file string) (Copy, error) {
	if _, err := placeOf(d, folder); err != nil {
		return Copy{}, err
	}
	for _, c := range inFolder(d, folder) {
		if c.File == file {
			return c, nil
		}
	}
	return Copy{}, refuse.NotFound("err_copy_not_found", "file", file)
}
