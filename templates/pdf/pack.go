package pdf

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// packer packs what is drawn. It is one for all pages of a document, as each takes most of a megabyte; the library makes one for each page.
type packer struct {
	to  *zlib.Writer
	out bytes.Buffer
}

// pack gives what holds until it packs again.
func (p *packer) pack(drawn []byte) []byte {
	if p.to == nil {
		p.to, _ = zlib.NewWriterLevel(&p.out, zlib.BestSpeed) // there is that level
	}
	p.out.Reset()
	p.to.Reset(&p.out)
	_, _ = p.to.Write(drawn) // a buffer takes it
	_ = p.to.Close()
	return p.out.Bytes()
}

// part is an object of a document, with where it begins.
type part struct{ number, from int }

var errNotAsWritten = errors.New("the document is not written as it always was")

// packing writes what it is given, a whole document of the library's, with its pages packed. Stamps are packed already, which their heads
// do not say.
type packing struct {
	*packer
	to io.Writer
}

func (p packing) Write(drawn []byte) (int, error) {
	objects, end, err := objectsOf(drawn)
	if err != nil {
		return 0, err
	}
	out := &counted{Writer: bufio.NewWriter(p.to)}
	_, _ = out.Write(drawn[:objects[0].from]) // what fails is told at the end
	places := make([]int, len(objects)+1)
	for i, o := range objects {
		next := end
		if i+1 < len(objects) {
			next = objects[i+1].from
		}
		places[o.number] = out.n
		p.object(out, drawn[o.from:next])
	}
	at := out.n
	fmt.Fprintf(out, "xref\n0 %d\n0000000000 65535 f \n", len(places))
	for _, place := range places[1:] {
		fmt.Fprintf(out, "%010d 00000 n \n", place)
	}
	trailer := drawn[end:]
	trailer = trailer[bytes.Index(trailer, []byte("trailer\n")):bytes.LastIndex(trailer, []byte("startxref\n"))]
	fmt.Fprintf(out, "%sstartxref\n%d\n%%%%EOF\n", trailer, at)
	return len(drawn), out.Flush()
}

// counted counts what is written.
type counted struct {
	*bufio.Writer
	n int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += n
	return n, err
}

// objectsOf are the objects of a document in the order in which they stand, and where they end.
func objectsOf(drawn []byte) (objects []part, end int, err error) {
	_, last, _ := bytes.Cut(drawn[max(0, len(drawn)-64):], []byte("startxref\n"))
	digits, _, _ := bytes.Cut(last, []byte("\n"))
	end, err = strconv.Atoi(string(digits))
	if err != nil || end >= len(drawn) {
		return nil, 0, errNotAsWritten
	}
	table, _, found := bytes.Cut(drawn[end:], []byte("trailer\n"))
	rows := bytes.Split(table, []byte("\n"))
	if !found || len(rows) < 5 || string(rows[0]) != "xref" {
		return nil, 0, errNotAsWritten
	}
	for i, row := range rows[3 : len(rows)-1] { // after the head and the free object, before the end of the last line
		from, err := strconv.Atoi(string(row[:min(10, len(row))]))
		if err != nil {
			return nil, 0, errNotAsWritten
		}
		objects = append(objects, part{i + 1, from})
	}
	slices.SortFunc(objects, func(a, b part) int { return a.from - b.from })
	return objects, end, nil
}

// object writes an object, packed.
func (p *packer) object(out io.Writer, text []byte) {
	const begin, finish = "stream\n", "\nendstream\nendobj\n"
	head, body, found := bytes.Cut(text, []byte(begin))
	body, whole := bytes.CutSuffix(body, []byte(finish))
	length := bytes.LastIndex(head, []byte("/Length "))
	if !found || !whole || length < 0 || bytes.Contains(head, []byte("/Filter")) {
		_, _ = out.Write(text)
		return
	}
	if !bytes.Contains(head, []byte("/Subtype /Form")) {
		body = p.pack(body)
	}
	fmt.Fprintf(out, "%s/Filter /FlateDecode /Length %d>>\n%s%s%s", head[:length], len(body), begin, body, finish)
}
