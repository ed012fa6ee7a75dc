package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestAnswersKeepTheOrderOfTheLines checks that slow lines keep their position.
func TestAnswersKeepTheOrderOfTheLines(t *testing.T) {
	var in, want strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&in, "%d\n", i)
		fmt.Fprintf(&want, "\"%d\"\n", i)
	}
	var out bytes.Buffer
	slowly := func(line []byte) (any, error) {
		said := string(line)
		for range len(said) % 3 * 100 {
			said = strings.Clone(said)
		}
		return said, nil
	}
	if err := answerLines(strings.NewReader(in.String()), &out, slowly); err != nil {
		t.Fatal(err)
	}
	if out.String() != want.String() {
		t.Error("answers are missing or out of order")
	}
}

type closedOutput struct{}

var errClosed = errors.New("closed")

func (closedOutput) Write([]byte) (int, error) { return 0, errClosed }

func TestNobodyTakesTheAnswers(t *testing.T) {
	endless := &repeated{text: "one\n", times: 1 << 40}
	err := answerLines(endless, closedOutput{}, func(line []byte) (any, error) { return string(line), nil })
	if !errors.Is(err, errClosed) {
		t.Errorf("%v", err)
	}
}

func TestInputBreaksOff(t *testing.T) {
	in := io.MultiReader(strings.NewReader("one\ntwo\n"), iotest.ErrReader(errClosed))
	var out bytes.Buffer
	err := answerLines(in, &out, func(line []byte) (any, error) { return string(line), nil })
	if !errors.Is(err, errClosed) || out.String() != "\"one\"\n\"two\"\n" {
		t.Errorf("%v after %q", err, out.String())
	}
}
