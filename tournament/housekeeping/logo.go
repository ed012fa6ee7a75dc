package housekeeping

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"image"
	"image/png"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// The limits of a logo: bytes and pixels of the file sent, and pixels of a side of the stored one.
const (
	logoBytes  = 2 << 20
	logoPixels = 25_000_000
	logoSide   = 512
)

// Logo is a tournament's logo: a PNG without metadata, in base64, with its SHA-256.
type Logo struct {
	TournamentID int64 `gorm:"primaryKey;autoIncrement:false"`
	Picture      string
	SHA256       string `gorm:"column:sha256"`
}

// PNG returns the picture.
func (l Logo) PNG() ([]byte, error) { return base64.StdEncoding.DecodeString(l.Picture) }

// LogoOf returns a tournament's logo, or false if there is none. Anyone who may see the tournament may see it.
func LogoOf(ctx context.Context, s *store.DB, tournamentID int64) (Logo, bool, error) {
	return store.First[Logo](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID))
}

// CheckLogo rejects a tournament's logo that SetLogo could not have stored, for a tournament from an archive.
func CheckLogo(db *gorm.DB, tournamentID int64) error {
	logo, found, err := store.First[Logo](db.Where("tournament_id = ?", tournamentID))
	if err != nil || !found {
		return err
	}
	picture, err := logo.PNG()
	if err == nil {
		size, kind, faulty := image.DecodeConfig(bytes.NewReader(picture))
		if faulty != nil || kind != "png" || max(size.Width, size.Height) > logoSide || sumOf(picture) != logo.SHA256 {
			err = image.ErrFormat
		}
	}
	if err != nil {
		return refuse.Invalid("err_logo", "field", "picture", "megabytes", logoBytes>>20)
	}
	return nil
}

func sumOf(picture []byte) string {
	sum := sha256.Sum256(picture)
	return hex.EncodeToString(sum[:])
}

// SetLogo replaces a tournament's logo, or removes it. The picture is decoded, scaled down and encoded again, so that
// nothing else of the file is kept.
type SetLogo struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Picture    string `json:"picture,omitempty" doc:"a PNG, JPEG or WebP file in base64; empty: no logo"`

	logo Logo
}

var _ = action.NewKind[SetLogo](action.Kind{Name: "tournament.logo", Right: rights.MayPlanDay,
	Changes: []action.What{action.TopicSettings}, Details: action.Keep[action.Value]})

// Plan converts the picture before the transaction, so that no table waits for it.
func (l SetLogo) Plan(context.Context, *action.Desk, rights.Actor) (_ action.Action, err error) {
	if l.Picture == "" {
		return l, nil
	}
	wrong := refuse.Invalid("err_logo", "field", "picture", "megabytes", logoBytes>>20)
	sent, err := base64.StdEncoding.DecodeString(l.Picture)
	if err != nil || len(sent) > logoBytes {
		return l, wrong
	}
	logo, err := redrawn(sent, logoPixels, logoSide)
	if err != nil {
		return l, wrong
	}
	var file bytes.Buffer
	if err := png.Encode(&file, logo); err != nil {
		return l, err
	}
	picture := file.Bytes()
	l.logo = Logo{l.Tournament, base64.StdEncoding.EncodeToString(picture), sumOf(picture)}
	return l, nil
}

func (l SetLogo) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, l.Tournament)
	if err != nil {
		return t, err
	}
	was, _, err := store.First[Logo](tx.Where("tournament_id = ?", t.ID))
	if err != nil || was.SHA256 == l.logo.SHA256 {
		return t, err
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name},
		Is: action.Value{Was: was.SHA256, Is: l.logo.SHA256}})
	if l.logo.SHA256 == "" {
		return t, tx.Delete(&was).Error
	}
	return t, tx.Save(&l.logo).Error
}
