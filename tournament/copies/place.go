package copies

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// Place is where copies can go: a USB stick or another disk of the machine, or a folder named by its operator.
// Organizers can choose only among these. Root is the stick itself; the copies are in the folder below it.
type Place struct {
	Root   string
	Folder string
	Free   uint64 // bytes; valid only if Known, as not every system reports it
	Known  bool
}

// beside returns the place that always exists: the folder backups beside the database. Its Folder is empty.
func beside(d *action.Desk) Place {
	p := Place{Root: d.DB.FolderOf("")}
	p.Free, p.Known = store.DiskFree(d.DB.Folder())
	return p
}

// below is the name of the folder of copies on a USB stick.
const below = "meldhall"

// mounts lists where a system mounts USB sticks.
var mounts = map[string][]string{
	"linux":   {"/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*"},
	"darwin":  {"/Volumes/*"},
	"windows": {`D:\`, `E:\`, `F:\`, `G:\`, `H:\`, `I:\`, `J:\`, `K:\`, `L:\`, `M:\`},
}

// Places returns all present places, the one beside the database first.
func Places(d *action.Desk) []Place {
	places := []Place{beside(d)}
	add := func(root string) {
		p := Place{Root: root, Folder: filepath.Join(root, below)}
		if p.Free, p.Known = store.DiskFree(root); !slices.ContainsFunc(places,
			func(q Place) bool { return q.Root == root }) {
			places = append(places, p)
		}
	}
	for _, root := range d.Machine.CopyTo {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			add(root)
		}
	}
	for _, pattern := range mounts[runtime.GOOS] {
		roots, _ := filepath.Glob(pattern) // our patterns are valid
		for _, root := range roots {
			if info, err := os.Stat(root); err == nil && info.IsDir() && !sameDisk(root, filepath.Dir(root)) {
				add(root)
			}
		}
	}
	return places
}

// placeOf returns the place with a folder of copies.
func placeOf(d *action.Desk, folder string) (Place, error) {
	places := Places(d)
	i := slices.IndexFunc(places, func(p Place) bool { return p.Folder == folder })
	if i < 0 {
		return Place{}, refuse.Conflict("err_copy_place", "folder", folder)
	}
	return places[i], nil
}

// Made is the reason for a copy, as found in its name.
type Made string

// The reasons for copies.
const (
	MadeByHand   Made = "hand"    // or before a final action
	MadeByItself Made = "auto"    // according to the plan
	MadeVersion  Made = "version" // before a newer version migrated the tables
	MadeRestore  Made = "restore" // the database that a restored copy replaced
)

// auto marks the names of automatic copies.
const auto = "-auto"

var (
	autoName    = regexp.MustCompile(auto + `-\d{8}-\d{6}\.\d{3}(-\d+)?\.db$`)
	versionName = regexp.MustCompile(`-of-version-\d+-\d{8}-`)
	restoreName = regexp.MustCompile(`-before-restore-\d{8}-`)
)

// Copy is a file in one of the places.
type Copy struct {
	Folder string // the place's
	File   string
	At     int64 // modification time in ms
	Bytes  int64
	Made   Made
}

// Path returns the path of the file.
func (c Copy) Path(d *action.Desk) string { return filepath.Join(d.DB.FolderOf(c.Folder), c.File) }

// List returns the copies in all places, newest first.
func List(d *action.Desk) (all []Copy) {
	for _, p := range Places(d) {
		all = append(all, inFolder(d, p.Folder)...)
	}
	slices.SortStableFunc(all, func(a, b Copy) int { return cmp.Compare(b.At, a.At) })
	return all
}

// inFolder returns the copies in one place, or none if it cannot be read.
func inFolder(d *action.Desk, folder string) (all []Copy) {
	files, _ := os.ReadDir(d.DB.FolderOf(folder))
	for _, file := range files {
		info, err := file.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(file.Name()) != ".db" || info.Size() == 0 {
			continue
		}
		c := Copy{Folder: folder, File: file.Name(), At: info.ModTime().UnixMilli(), Bytes: info.Size(),
			Made: MadeByHand}
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

// found returns the copy with a place and a file name, which cannot lead to another folder.
func found(d *action.Desk, folder, file string) (Copy, error) {
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
