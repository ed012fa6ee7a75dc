package pdf

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
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

// packing rewrites a complete document from the PDF library with its pages compressed and its structure added. Stamps
// are compressed already, though their headers do not say so.
type packing struct {
	*packer
	to        io.Writer
	structure *tree
}

// version is the first line of a document with compressed objects and a structure.
const version = "%PDF-1.7"

// place is where an object is: its offset in the file or, if it is compressed, its index in another object.
type place struct{ at, in, index int }

func (p packing) Write(drawn []byte) (int, error) {
	objects, end, err := objectsOf(drawn)
	if err != nil {
		return 0, err
	}
	out := &counted{Writer: bufio.NewWriter(p.to)}
	_, _ = out.Write([]byte(version))
	_, _ = out.Write(drawn[len(version):objects[0].from]) // Flush returns any write error
	places := make([]place, len(objects)+1)
	p.structure.first = len(places)
	for i, o := range objects {
		next := end
		if i+1 < len(objects) {
			next = objects[i+1].from
		}
		places[o.number].at = out.n
		p.object(out, p.structure.linked(o.number, drawn[o.from:next]))
	}
	if len(p.structure.stamps) != len(p.structure.placed) {
		return 0, errNotAsWritten
	}
	places = p.compressed(out, places, p.structure)
	_, trailer, _ := bytes.Cut(drawn[end:], []byte("/Root"))
	trailer, _, found := bytes.Cut(trailer, []byte(">>"))
	if !found {
		return 0, errNotAsWritten
	}
	p.table(out, places, "/Root"+string(trailer))
	return len(drawn), out.Flush()
}

// together is how many objects are compressed as one.
const together = 500

// compressed writes objects in object streams, whose numbers follow those of the objects, and returns the places of
// all.
func (p *packer) compressed(out *counted, places []place, structure *tree) []place {
	number := len(places) + structure.number()
	var streams []place
	var head, body bytes.Buffer
	count := 0
	write := func() {
		first := head.Len()
		_, _ = body.WriteTo(&head)
		streams = append(streams, place{at: out.n})
		p.stream(out, number, fmt.Sprintf("/Type /ObjStm /N %d /First %d", count, first), head.Bytes())
		head.Reset()
		number, count = number+1, 0
	}
	structure.objects(func(one string) {
		fmt.Fprintf(&head, "%d %d ", len(places), body.Len())
		body.WriteString(one + "\n")
		places = append(places, place{in: number, index: count})
		if count++; count == together {
			write()
		}
	})
	if count > 0 {
		write()
	}
	return append(places, streams...)
}

// table writes the cross-reference stream and the end of the file.
func (p *packer) table(out *counted, places []place, entries string) {
	at := out.n
	places = append(places, place{at: at})
	var rows []byte
	for number, one := range places {
		kind, where, index := byte(1), one.at, 0
		switch {
		case number == 0:
			kind, index = 0, 0xFFFF
		case one.in > 0:
			kind, where, index = 2, one.in, one.index
		}
		rows = binary.BigEndian.AppendUint32(append(rows, kind), uint32(where))
		rows = binary.BigEndian.AppendUint16(rows, uint16(index))
	}
	p.stream(out, len(places)-1, fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] %s", len(places), entries), rows)
	fmt.Fprintf(out, "startxref\n%d\n%%%%EOF\n", at)
}

// stream writes an object with compressed bytes.
func (p *packer) stream(out io.Writer, number int, entries string, content []byte) {
	packed := p.pack(content)
	fmt.Fprintf(out, "%d 0 obj\n<<%s /Filter /FlateDecode /Length %d>>\nstream\n%s\nendstream\nendobj\n", number,
		entries, len(packed), packed)
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
