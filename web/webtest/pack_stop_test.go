package webtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"meldhall/templates/locale"
	"meldhall/templates/paper"
	"meldhall/templates/pdf"
)

// A server that stops does not wait for a paper pack that is due or in progress; the next start makes it.
func TestPackIsMadeAfterAStop(t *testing.T) {
	t.Parallel()
	e := newEntered(t, "Stopped", roster(8), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	folder := filepath.Join(e.store.Folder(), "paper")
	files := func() (names []string) {
		all, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range all {
			names = append(names, filepath.Base(file))
		}
		return names
	}
	name := fmt.Sprintf("event-%d-round-1.en.a4.pdf", e.id)
	e.restart(t)
	if got := files(); slices.Contains(got, name) {
		t.Log("it was made before the stop") // possible if the machine stalled for two seconds
	}
	for until := time.Now().Add(30 * time.Second); !slices.Equal(files(),
		[]string{name}); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("after the next start there is %q", files())
		}
	}
}

// Rendering a sheet stops as soon as no request waits for it.
func TestPrintingIsGivenUp(t *testing.T) {
	texts, err := locale.LoadTexts(nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(texts.With(t.Context(), "en"))
	cancel()
	if document, err := paper.Document(ctx, pdf.A4, paper.About{Event: "Given up"},
		paper.ScoreSheets{}); !errors.Is(err, context.Canceled) || document != nil {
		t.Errorf("%d bytes, %v", len(document), err)
	}
}
