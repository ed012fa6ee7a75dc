package paper

import (
	"context"
	"sync"
	"time"
)

// drawnLife is how long a public sheet is cached, so that many simultaneous requests need only one rendering.
const drawnLife = time.Second

// drawnLongest limits the time for rendering one document.
const drawnLongest = 20 * time.Second

// drawnMost limits the number of cached sheets.
const drawnMost = 32

// drawn caches the latest public sheets.
type drawn struct {
	mu   sync.Mutex
	kept map[string]*keptSheet
}

// keptSheet is rendered by one request while others wait for it.
type keptSheet struct {
	mu       sync.Mutex
	at       time.Time
	document []byte
}

func (d *drawn) of(ctx context.Context, key string, draw func(context.Context) ([]byte, error)) ([]byte, error) {
	d.mu.Lock()
	one := d.kept[key]
	if one == nil {
		if d.kept == nil || len(d.kept) >= drawnMost {
			d.kept = map[string]*keptSheet{}
		}
		one = &keptSheet{}
		d.kept[key] = one
	}
	d.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.document != nil && time.Since(one.at) < drawnLife {
		return one.document, nil
	}
	// other readers wait for the same document, so it must not be canceled with this request
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawnLongest)
	defer cancel()
	document, err := draw(whole)
	if err != nil {
		return nil, err
	}
	one.at, one.document = time.Now(), document
	return document, nil
}
