package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine/exact"
)

// linesAhead is how many lines a worker may be ahead of the slowest one.
const linesAhead = 16

// answerStdin answers the lines of standard input, using the built-in rule presets.
func answerStdin(answer func(known ruleNames, line []byte) (any, error)) error {
	presets, err := prepare.Presets("")
	if err != nil {
		return err
	}
	return answerLines(os.Stdin, os.Stdout, func(line []byte) (any, error) { return answer(presets.Rules, line) })
}

// answerLines writes one JSON line for every line of in, in the same order. Each processor works on one line; only a
// few lines are held in memory. Output is flushed whenever no complete input line is waiting, so that a program can
// send a line and wait for its answer. A line that cannot be answered produces {"error": …}, and errBadLines is
// returned at the end. answer is called by several goroutines.
func answerLines(in io.Reader, out io.Writer, answer func(line []byte) (any, error)) error {
	workers := runtime.GOMAXPROCS(0)
	lines := newLineQueue(workers * linesAhead)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for l := range lines.work {
				l.answer(answer)
				l.done <- struct{}{}
			}
		})
	}
	var written error
	working.Go(func() { written = lines.write(out) })
	read := lines.read(in)
	working.Wait()
	if err := errors.Join(read, written); err != nil || !lines.bad.Load() {
		return err
	}
	return errBadLines
}

// asked is an input line with its answer.
type asked struct {
	line []byte
	err  error // why the line could not be read
	text bytes.Buffer
	bad  bool
	done chan struct{}
}

func (l *asked) answer(answer func(line []byte) (any, error)) {
	var given any
	err := l.err
	if err == nil {
		given, err = answer(l.line)
	}
	if l.bad = err != nil; l.bad {
		given = map[string]string{"error": err.Error()}
	}
	l.text.Reset()
	enc := json.NewEncoder(&l.text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(exact.WithLists(given)); err != nil {
		panic("encode an output line: " + err.Error())
	}
}

// lineQueue holds the lines in progress. Each line is in free or in order, and until a worker takes it also in work, so
// sending to a channel never blocks.
type lineQueue struct {
	free, work, order chan *asked
	bad, broken       atomic.Bool // some line was invalid; output failed
}

func newLineQueue(size int) *lineQueue {
	q := &lineQueue{free: make(chan *asked, size), work: make(chan *asked, size), order: make(chan *asked, size)}
	for range size {
		q.free <- &asked{done: make(chan struct{}, 1)}
	}
	return q
}

// read distributes the lines to the workers until there are no more lines, or the output fails.
func (q *lineQueue) read(in io.Reader) error {
	defer close(q.work)
	defer close(q.order)
	r := bufio.NewReaderSize(withoutMark(in), 1<<16)
	for l := range q.free {
		if q.broken.Load() {
			break
		}
		var err error
		l.line, err = nextLine(r, l.line[:0])
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return err
		}
		l.err = err
		q.order <- l
		q.work <- l
	}
	return nil
}

// write writes the answers in the order of the lines.
func (q *lineQueue) write(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	var failed error
	for l := range q.order {
		<-l.done
		if l.bad {
			q.bad.Store(true)
		}
		if failed == nil {
			_, failed = w.Write(l.text.Bytes())
		}
		if failed == nil && len(q.order) == 0 {
			failed = w.Flush()
		}
		if failed != nil {
			q.broken.Store(true)
		}
		q.free <- l
	}
	return failed
}
