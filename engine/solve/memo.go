package solve

// memo remembers a lower bound for what states cost from there on, in a table of open addressing that is used again.
type memo struct {
	slots []bounded
	used  int
	round uint32 // slots of earlier rounds are empty
}

type bounded struct {
	key   uint64
	round uint32
	rest  int32
}

func (m *memo) clear() {
	if m.slots == nil {
		m.slots = make([]bounded, 1<<10)
	}
	m.round++
	if m.round == 0 {
		clear(m.slots)
		m.round = 1
	}
	m.used = 0
}

// find gives the bound of a state, 0 when none is known, and where it is or would be.
func (m *memo) find(key uint64) (slot int, rest int32) {
	mask := len(m.slots) - 1
	at := int(key*0x9E3779B97F4A7C15>>32) & mask
	for m.slots[at].round == m.round {
		if m.slots[at].key == key {
			return at, m.slots[at].rest
		}
		at = (at + 1) & mask
	}
	return at, 0
}

// learn notes a bound. slot is where find would have it; the table may have changed since.
func (m *memo) learn(slot int, key uint64, rest int32) {
	if slot >= len(m.slots) || m.slots[slot].round != m.round || m.slots[slot].key != key {
		slot, _ = m.find(key)
	}
	if m.slots[slot].round != m.round {
		m.used++
	}
	m.slots[slot] = bounded{key, m.round, rest}
	if 2*m.used > len(m.slots) {
		m.grow()
	}
}

func (m *memo) grow() {
	old := m.slots
	m.slots = make([]bounded, 4*len(old))
	for _, o := range old {
		if o.round == m.round {
			slot, _ := m.find(o.key)
			m.slots[slot] = o
		}
	}
}
