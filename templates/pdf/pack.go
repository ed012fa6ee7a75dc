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

// packer compresses the drawing operators. All pages of a document share one, because a compressor takes nearly a
// megabyte; the PDF library would create one per page.
type packer struct {
	to  *zlib.Writer
	out bytes.Buffer
}

// pack returns the compressed bytes, which are valid until the next call.
func (p *packer) pack(drawn []byte) []byte {
	if p.to == nil {
		p.to, _ = zlib.NewWriterLevel(&p.out, zlib.BestSpeed) // the level is valid
	}
	p.out.Reset()
	p.to.Reset(&p.out)
	_, _ = p.to.Write(drawn) // writing to a buffer does not fail
	_ = p.to.Close()
	return p.out.Bytes()
}

// part is an object of a document, with its offset.
type part struct{ number, from int }

var errNotAsWritten = errors.New("unexpected structure of the generated document")

// packing rewrites a complete document from the PDF library with its pages compressed. Stamps are compressed already,
// though their headers do not say so.
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
	_, _ = out.Write(drawn[:objects[0].from]) // Flush returns any write error
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

// counted counts the bytes written.
type counted struct {
	*bufio.Writer
	n int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += n
	return n, err
}

// objectsOf returns the objects of a document in file order, and the offset of their end.
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
	for i, row := range rows[3 : len(rows)-1] { // without the head, the free object and the last empty row
		from, err := strconv.Atoi(string(row[:min(10, len(row))]))
		if err != nil {
			return nil, 0, errNotAsWritten
		}
		objects = append(objects, part{i + 1, from})
	}
	slices.SortFunc(objects, func(a, b part) int { return a.from - b.from })
	return objects, end, nil
}

// object writes an object, compressed.
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
