package paper

import (
	"context"
	"sync"
	"time"
)

// drawnLife is for how long a sheet that everybody may see is kept, so that a crowd that prints costs one drawing.
const drawnLife = time.Second

// drawnLongest limits the time for rendering one document.
const drawnLongest = 20 * time.Second

// drawnMost bounds how many are kept.
const drawnMost = 32

// drawn keeps what the public was last sent.
type drawn struct {
	mu   sync.Mutex
	kept map[string]*keptSheet
}

// keptSheet is drawn by one while the others wait for it.
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
	// other readers wait for the same document, so it must not end with this request
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), drawnLongest)
	defer cancel()
	document, err := draw(whole)
	if err != nil {
		return nil, err
	}
	one.at, one.document = time.Now(), document
	return document, nil
}
