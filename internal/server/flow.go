package server

import (
	"container/list"
	"net/netip"
)

// asker is a client as the queue sees it: an address and a key, with all their
// connections. Askers share turns and room in the queue.
type asker struct {
	addr netip.Addr
	key  int
}

// lane holds the waiting orders of one connection, oldest first.
type lane struct {
	orders list.List // elements are *order
	credit int       // tokens left in its turn
	place  *list.Element
}

// flow holds the waiting orders of one asker. Its lanes take turns within the asker's
// turn.
type flow struct {
	asker   asker
	lanes   list.List // elements are *lane
	waiting int       // waiting tokens
	counted int       // waiting tokens that count against the queue's bound
	deficit int       // tokens that the flow may still take in its turn
	turn    bool      // a batch ended in the middle of the flow's turn
}

// next is the lane whose turn it is. A lane that has taken more than its share is
// skipped until its credit is positive again (surplus round-robin).
func (f *flow) next() *lane {
	for {
		first := f.lanes.Front()
		l := first.Value.(*lane)
		if l.credit > 0 {
			return l
		}
		l.credit += quantum
		f.lanes.MoveToBack(first)
	}
}

// leave removes an order from its lane, and an empty lane from its flow.
func (f *flow) leave(o *order) {
	l := o.lane
	l.orders.Remove(o.place)
	o.place = nil
	if l.orders.Len() == 0 {
		f.lanes.Remove(l.place)
		l.place = nil
	}
}

// quantum is the number of tokens of a batch that an asker may take before the next
// asker's turn (deficit round-robin: Shreedhar and Varghese, 1996, section 3).
const quantum = 64
