package pdf

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// tree is the structure of a document as objects of its file. The tree refers to pages and stamps by their object
// numbers, and these refer back to it by keys of the parent tree (ISO 32000-1, 14.7).
type tree struct {
	tags
	placed []int // numbers of the placed stamps, in the order of their objects
	pages  []int // object numbers
	stamps []int // object numbers
	first  int   // object number of the root
	next   int   // object number of the next element

	shared  map[string]int // object numbers of long texts, which many elements may have
	sharing []string       // these texts, in the order of their numbers
	yield   func(object string)
}

// sharedFrom is the least length of a text with an object of its own.
const sharedFrom = 100

// linked returns the text of an object from the PDF library, with its reference to the structure.
func (t *tree) linked(number int, text []byte) []byte {
	add := func(after, entries string) []byte {
		return bytes.Replace(text, []byte(after), []byte(after+entries), 1)
	}
	_, body, _ := bytes.Cut(text, []byte(" obj\n"))
	const page, form, catalog = "<</Type /Page\n", "<</Type /XObject\n/Subtype /Form\n", "<<\n/Type /Catalog\n"
	switch {
	case bytes.HasPrefix(body, []byte(page)):
		t.pages = append(t.pages, number)
		return add(page, fmt.Sprintf("/StructParents %d\n", len(t.pages)-1))
	case bytes.HasPrefix(body, []byte(form)):
		t.stamps = append(t.stamps, number)
		if len(t.stamps) <= len(t.placed) && t.marked[-t.placed[len(t.stamps)-1]] != nil {
			return add(form, fmt.Sprintf("/StructParents %d\n", len(t.pages)+len(t.stamps)-1))
		}
	case bytes.HasPrefix(body, []byte(catalog)):
		return add(catalog, fmt.Sprintf("/MarkInfo <</Marked true>>\n/StructTreeRoot %d 0 R\n"+
			"/ViewerPreferences <</DisplayDocTitle true>>\n", t.first))
	}
	return text
}

// number numbers the objects of the tree, from first on, and returns how many they are.
func (t *tree) number() int {
	t.next, t.shared = t.first+2, map[string]int{}
	t.count(t.open[0])
	for _, text := range t.sharing {
		t.shared[text] = t.next
		t.next++
	}
	return t.next - t.first
}

// objects passes each object of the tree to yield, in the order of their numbers.
func (t *tree) objects(yield func(object string)) {
	t.yield = yield
	top := t.open[0]
	t.parents(top)
	t.element(top, t.first)
	for _, text := range t.sharing {
		yield(textString(text))
	}
}

// parents passes on the root and the parent tree.
func (t *tree) parents(top *element) {
	var parents strings.Builder
	streams := len(t.pages) + len(t.placed)
	for key := range streams {
		stream := key + 1
		if key >= len(t.pages) {
			stream = -t.placed[key-len(t.pages)]
		}
		if t.marked[stream] == nil && stream < 0 {
			continue
		}
		fmt.Fprintf(&parents, "%d[", key)
		for _, e := range t.marked[stream] {
			fmt.Fprintf(&parents, "%d 0 R ", e.number)
		}
		parents.WriteString("]")
	}
	t.yield(fmt.Sprintf("<</Type/StructTreeRoot/K %d 0 R/ParentTree %d 0 R/ParentTreeNextKey %d>>", top.number,
		t.first+1, streams))
	t.yield("<</Nums[" + parents.String() + "]>>")
}

// count numbers an element and all below it, in reading order.
func (t *tree) count(e *element) {
	e.number = t.next
	t.next++
	if _, known := t.shared[e.actual]; !known && len(e.actual) >= sharedFrom {
		t.shared[e.actual] = 0
		t.sharing = append(t.sharing, e.actual)
	}
	for _, k := range e.kids {
		if k.child != nil {
			t.count(k.child)
		}
	}
}

// element adds the object of an element and of all below it.
func (t *tree) element(e *element, parent int) {
	var text, kids strings.Builder
	fmt.Fprintf(&text, "<</S/%s/P %d 0 R", e.role, parent)
	home := 0 // page that the numbers among the kids refer to
	for _, k := range e.kids {
		switch {
		case k.child != nil:
			fmt.Fprintf(&kids, "%d 0 R ", k.child.number)
		case k.stream < 0:
			fmt.Fprintf(&kids, "<</Type/MCR/Pg %d 0 R/Stm %d 0 R/MCID %d>>", t.pages[t.on[-k.stream]-1],
				t.stampObject(-k.stream), k.id)
		case home == 0 || home == k.stream:
			home = k.stream
			fmt.Fprintf(&kids, "%d ", k.id)
		default:
			fmt.Fprintf(&kids, "<</Type/MCR/Pg %d 0 R/MCID %d>>", t.pages[k.stream-1], k.id)
		}
	}
	if home > 0 {
		fmt.Fprintf(&text, "/Pg %d 0 R", t.pages[home-1])
	}
	if e.attributes != "" {
		fmt.Fprintf(&text, "/A<<%s>>", e.attributes)
	}
	if e.alt != "" {
		text.WriteString("/Alt" + textString(e.alt))
	}
	if number := t.shared[e.actual]; number > 0 {
		fmt.Fprintf(&text, "/ActualText %d 0 R", number)
	} else if e.actual != "" {
		text.WriteString("/ActualText" + textString(e.actual))
	}
	fmt.Fprintf(&text, "/K[%s]>>", strings.TrimSpace(kids.String()))
	t.yield(text.String())
	for _, k := range e.kids {
		if k.child != nil {
			t.element(k.child, e.number)
		}
	}
}

// stampObject returns the object number of a placed stamp.
func (t *tree) stampObject(stamp int) int {
	i, _ := slices.BinarySearch(t.placed, stamp)
	return t.stamps[i]
}

// textString encodes a text as a PDF string.
func textString(text string) string {
	units := []byte{0xFE, 0xFF}
	for _, unit := range utf16.Encode([]rune(text)) {
		units = binary.BigEndian.AppendUint16(units, unit)
	}
	return "<" + hex.EncodeToString(units) + ">"
}
