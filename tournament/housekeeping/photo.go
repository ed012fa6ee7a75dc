package housekeeping

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/jpeg"
	"slices"
	"strconv"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// PhotosMost is the largest number of a tournament's photos.
const PhotosMost = 12

// The limits of a photo: bytes and pixels of the file sent, pixels of a side of the stored one and the quality of its
// JPEG, and characters of a caption.
const (
	photoBytes   = 8 << 20
	photoPixels  = 50_000_000
	photoSide    = 1600
	photoQuality = 82
	captionMost  = 200
)

// Photo is a photo of a tournament: a JPEG without metadata, in base64, with its SHA-256. Position counts from 1.
type Photo struct {
	ID            int64 `gorm:"primaryKey"`
	TournamentID  int64
	Position      int
	Caption       string
	Width, Height int
	Picture       string
	SHA256        string `gorm:"column:sha256"`
}

// Photos returns a tournament's photos in order, without their pictures. Anyone who may see the tournament may see
// them.
func Photos(ctx context.Context, s *store.DB, tournamentID int64) ([]Photo, error) {
	return photos(s.Read.WithContext(ctx), tournamentID)
}

func photos(db *gorm.DB, tournamentID int64) ([]Photo, error) {
	return store.All[Photo](db.Omit("picture").Where("tournament_id = ?", tournamentID).Order("position, id"))
}

// PhotoJPEG returns the picture of a tournament's photo, or false if the tournament has no such photo.
func PhotoJPEG(ctx context.Context, s *store.DB, tournamentID, id int64) ([]byte, bool, error) {
	photo, found, err := store.First[Photo](s.Read.WithContext(ctx).Where("tournament_id = ? AND id = ?", tournamentID,
		id))
	if err != nil || !found {
		return nil, false, err
	}
	picture, err := base64.StdEncoding.DecodeString(photo.Picture)
	return picture, err == nil, err
}

// AddPhoto adds a photo as the last one. The picture is decoded, turned upright, scaled down and encoded again, so that
// nothing else of the file is kept.
type AddPhoto struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Picture    string `json:"picture" doc:"a JPEG or PNG file in base64"`
	Caption    string `json:"caption" maxLength:"1000" doc:"what the photo shows, also for people who can't see it"`

	photo Photo
}

var _ = action.NewKind[AddPhoto](action.Kind{Name: "photo.add", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Value]})

// Plan converts the picture before the transaction, so that no table waits for it.
func (p AddPhoto) Plan(context.Context, *action.Desk, rights.Actor) (_ action.Action, err error) {
	if p.Caption, err = cleanCaption(p.Caption); err != nil {
		return p, err
	}
	wrong := refuse.Invalid("err_photo", "field", "picture", "megabytes", photoBytes>>20)
	sent, err := base64.StdEncoding.DecodeString(p.Picture)
	if err != nil || len(sent) > photoBytes {
		return p, wrong
	}
	photo, err := redrawn(sent, photoPixels, photoSide)
	if err != nil {
		return p, wrong
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photo, &jpeg.Options{Quality: photoQuality}); err != nil {
		return p, err
	}
	p.photo = Photo{TournamentID: p.Tournament, Caption: p.Caption, Width: photo.Bounds().Dx(),
		Height: photo.Bounds().Dy(), Picture: base64.StdEncoding.EncodeToString(file.Bytes()),
		SHA256: sumOf(file.Bytes())}
	return p, nil
}

// cleanCaption returns a caption as it is stored. It must not be empty, because it is also the text alternative.
func cleanCaption(text string) (string, error) {
	text = spelling.Clean(text)
	if n := utf8.RuneCountInString(text); n == 0 || n > captionMost {
		return "", refuse.Invalid("err_caption", "field", "caption", "most", captionMost)
	}
	return text, nil
}

func (p AddPhoto) Do(tx *action.Tx) (Photo, error) {
	t, err := tournament.FindTournament(tx.DB, p.Tournament)
	if err != nil {
		return Photo{}, err
	}
	all, err := photos(tx.DB, t.ID)
	if err != nil {
		return Photo{}, err
	}
	if len(all) >= PhotosMost {
		return Photo{}, refuse.Conflict("err_photos_many", "most", PhotosMost)
	}
	p.photo.Position = len(all) + 1
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}, Is: action.Value{Is: p.photo.words()}})
	return p.photo, tx.Create(&p.photo).Error
}

// ChangePhoto changes a photo's caption and its position.
type ChangePhoto struct {
	ID       int64  `json:"id,omitempty" path:"id" of:"photos" minimum:"1"`
	Caption  string `json:"caption" maxLength:"1000"`
	Position int    `json:"position" minimum:"1" maximum:"12"`
}

var _ = action.NewKind[ChangePhoto](action.Kind{Name: "photo.change", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Value]})

func (c ChangePhoto) Do(tx *action.Tx) (Photo, error) {
	caption, err := cleanCaption(c.Caption)
	if err != nil {
		return Photo{}, err
	}
	is := Photo{ID: c.ID, Caption: caption}
	was, err := ordered(tx, c.ID, func(others []Photo, was Photo) []Photo {
		is.TournamentID, is.Position = was.TournamentID, min(max(c.Position, 1), len(others)+1)
		return slices.Insert(others, is.Position-1, was)
	})
	if err != nil || was.words() == is.words() {
		return was, err
	}
	tx.Record(action.Entry{Event: is.TournamentID, On: action.About{Name: caption},
		Is: action.Value{Was: was.words(), Is: is.words()}})
	return is, tx.Model(&is).Update("caption", caption).Error
}

// words describes the photo in a record.
func (p Photo) words() string { return strconv.Itoa(p.Position) + ". " + p.Caption }

// RemovePhoto removes a photo, for example because a person on it asks for that.
type RemovePhoto struct {
	ID int64 `json:"id,omitempty" path:"id" of:"photos" minimum:"1"`
}

var _ = action.NewKind[RemovePhoto](action.Kind{Name: "photo.remove", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Value]})

func (r RemovePhoto) Do(tx *action.Tx) (Photo, error) {
	photo, err := ordered(tx, r.ID, func(others []Photo, _ Photo) []Photo { return others })
	if err != nil {
		return photo, err
	}
	tx.Record(action.Entry{Event: photo.TournamentID, On: action.About{Name: photo.Caption},
		Is: action.Value{Was: photo.words()}})
	return photo, tx.Delete(&photo).Error
}

// ordered stores the order that place gives the other photos of a tournament and perhaps the one with an ID, which it
// returns.
func ordered(tx *action.Tx, id int64, place func(others []Photo, was Photo) []Photo) (Photo, error) {
	photo, err := store.ByID[Photo](tx.Omit("picture"), "photo", id)
	if err != nil {
		return photo, err
	}
	all, err := photos(tx.DB, photo.TournamentID)
	if err != nil {
		return photo, err
	}
	others := slices.DeleteFunc(all, func(p Photo) bool { return p.ID == id })
	for i, p := range place(others, photo) {
		if p.Position != i+1 {
			if err := tx.Model(&p).Update("position", i+1).Error; err != nil {
				return photo, err
			}
		}
	}
	return photo, nil
}
