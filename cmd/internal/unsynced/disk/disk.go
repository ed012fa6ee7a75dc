// Package disk makes the program that links it record every write to its database that is not synced yet, so that a
// simulated power failure can undo it. It also makes reads fail on request. It wraps SQLite's file layer (VFS). Only
// the program that meldbench measures links it.
package disk

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	_ "modernc.org/sqlite" // initializes the library before it is used here
	sqlite3 "modernc.org/sqlite/lib"

	"meldhall/cmd/internal/unsynced"
)

// openFile is a file that SQLite has open, with SQLite's original methods for it.
type openFile struct {
	name string
	own  *sqlite3.Tsqlite3_io_methods
}

var (
	lies  = os.Getenv(unsynced.LiesVariable) == "1"
	files *sqlite3.Tsqlite3_vfs // the original VFS
	_     = standBetween()

	mu      sync.Mutex
	noting  = map[uintptr]uintptr{}  // original methods -> copies with replaced functions
	opened  = map[uintptr]openFile{} // by address
	written = map[string]*os.File{}  // files of notes, by name of the file noted
)

type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
	moveFunc     = func(tls *libc.TLS, file, buffer uintptr, n int32, at int64) int32 // xRead or xWrite
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
	sizeFunc     = func(tls *libc.TLS, file, size uintptr) int32
)

// at returns a pointer to an address in the library's memory, which Go's garbage collector does not move.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer converts a Go function to the library's function pointer, and function converts it back.
func pointer[F any](f F) uintptr        { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&struct{ p uintptr }{address})) }

// standBetween registers this package as SQLite's default file layer. It must run before the first file is opened.
func standBetween() bool {
	tls := libc.NewTLS()
	files = at[sqlite3.Tsqlite3_vfs](sqlite3.Xsqlite3_vfs_find(tls, 0))
	address := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*files)))
	name, err := libc.CString("unsynced")
	if err != nil || address == 0 {
		panic("no memory")
	}
	standing := at[sqlite3.Tsqlite3_vfs](address)
	*standing = *files
	standing.FpNext, standing.FzName, standing.FxOpen = 0, name, pointer[openFunc](open)
	if code := sqlite3.Xsqlite3_vfs_register(tls, address, 1); code != sqlite3.SQLITE_OK {
		panic(fmt.Sprintf("register the files: %d", code))
	}
	return true
}

// open opens a file as SQLite does. For a database and its logs, writes are noted and reads can be made to fail.
func open(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	code := function[openFunc](files.FxOpen)(tls, vfs, name, file, flags, out)
	if code != sqlite3.SQLITE_OK || name == 0 ||
		flags&(sqlite3.SQLITE_OPEN_MAIN_DB|sqlite3.SQLITE_OPEN_WAL|sqlite3.SQLITE_OPEN_MAIN_JOURNAL) == 0 {
		return code
	}
	mu.Lock()
	defer mu.Unlock()
	f := at[sqlite3.Tsqlite3_file](file)
	opened[file] = openFile{libc.GoString(name), at[sqlite3.Tsqlite3_io_methods](f.FpMethods)}
	if noting[f.FpMethods] == 0 {
		address := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_io_methods{})))
		if address == 0 {
			panic("no memory")
		}
		methods := at[sqlite3.Tsqlite3_io_methods](address)
		*methods = *opened[file].own
		methods.FxClose, methods.FxWrite = pointer[closeFunc](closeFile), pointer[moveFunc](write)
		methods.FxRead = pointer[moveFunc](read)
		methods.FxTruncate, methods.FxSync = pointer[truncateFunc](truncate), pointer[syncFunc](syncFile)
		noting[f.FpMethods] = address
	}
	f.FpMethods = noting[f.FpMethods]
	return code
}

func the(file uintptr) openFile {
	mu.Lock()
	defer mu.Unlock()
	return opened[file]
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	f := the(file)
	mu.Lock()
	delete(opened, file)
	mu.Unlock()
	return function[closeFunc](f.own.FxClose)(tls, file)
}

// read reads from a file as SQLite does, unless this read must fail.
func read(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	f := the(file)
	if unreadable(f.name) {
		return sqlite3.SQLITE_IOERR_READ
	}
	return function[moveFunc](f.own.FxRead)(tls, file, buffer, n, offset)
}

var reads atomic.Int64

// unreadable reports whether this read must fail: every nth one, if a file next to the database requests it.
func unreadable(name string) bool {
	text, err := os.ReadFile(strings.TrimSuffix(name, "-wal") + unsynced.Unreadable)
	if err != nil {
		return false
	}
	each, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil && each > 0 && reads.Add(1)%each == 0
}

func write(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	f := the(file)
	if code := f.note(tls, file, offset, n); code != sqlite3.SQLITE_OK {
		return code
	}
	return function[moveFunc](f.own.FxWrite)(tls, file, buffer, n, offset)
}

func truncate(tls *libc.TLS, file uintptr, size int64) int32 {
	f := the(file)
	if code := f.note(tls, file, size, 0); code != sqlite3.SQLITE_OK {
		return code
	}
	return function[truncateFunc](f.own.FxTruncate)(tls, file, size)
}

// syncFile syncs the file and then discards its notes.
func syncFile(tls *libc.TLS, file uintptr, flags int32) int32 {
	f := the(file)
	code := function[syncFunc](f.own.FxSync)(tls, file, flags)
	mu.Lock()
	defer mu.Unlock()
	if noted := written[f.name]; code == sqlite3.SQLITE_OK && !lies && noted != nil && noted.Truncate(0) != nil {
		return sqlite3.SQLITE_IOERR
	}
	return code
}

// note records the bytes that are about to be overwritten or, if n is 0, cut off by a truncation. It reads through
// SQLite's own file, because closing another handle would release SQLite's locks.
func (f openFile) note(tls *libc.TLS, file uintptr, offset int64, n int32) int32 {
	size := tls.Alloc(8)
	defer tls.Free(8)
	if code := function[sizeFunc](f.own.FxFileSize)(tls, file, size); code != sqlite3.SQLITE_OK {
		return code
	}
	said := unsynced.Note{At: offset, Size: *at[int64](size), New: int(n)}
	end := said.Size
	if n > 0 {
		end = min(end, offset+int64(n))
	}
	if long := int(end - offset); long > 0 {
		before := tls.Alloc(long)
		defer tls.Free(long)
		if code := function[moveFunc](f.own.FxRead)(tls, file, before, int32(long), offset); code != sqlite3.SQLITE_OK {
			return code
		}
		said.Old = unsafe.Slice(at[byte](before), long)
	}
	mu.Lock()
	defer mu.Unlock()
	if written[f.name] == nil {
		notes, err := os.OpenFile(f.name+unsynced.Suffix, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return sqlite3.SQLITE_IOERR
		}
		written[f.name] = notes
	}
	if _, err := written[f.name].Write(said.Bytes()); err != nil {
		return sqlite3.SQLITE_IOERR
	}
	return sqlite3.SQLITE_OK
}
