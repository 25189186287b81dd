package server

// outgoing is what waits to be written: a frame, or one that its request keeps.
type outgoing struct {
	frame   []byte
	request *request // nil: the frame
	index   int      // of the text, or whole
}

// outgoingBytes are what one takes, with the room that a growing list has to spare.
const outgoingBytes = 96

// bytes are the memory that it takes beside what its request does.
func (o *outgoing) bytes() int { return outgoingBytes + len(o.frame) }

// length is how much is to be written, about.
func (o *outgoing) length() int {
	if o.request != nil {
		return o.request.frameSize(o.index)
	}
	return len(o.frame)
}

// content is the frame.
func (o *outgoing) content() []byte {
	if o.request != nil {
		return o.request.frame(o.index)
	}
	return o.frame
}

// release lets go of the request.
func (o *outgoing) release() {
	if o.request != nil {
		o.request.release()
	}
}

// outbox is what waits to be written to a connection, the oldest first. It counts it
// until it is written.
type outbox struct {
	list   []outgoing
	first  int // of the list that waits
	bytes  int // of memory
	unread int // bytes that are to be written
}

func (b *outbox) empty() bool { return b.first == len(b.list) }

func (b *outbox) push(o outgoing) {
	if o.request != nil {
		o.request.refs.Add(1)
	}
	b.list = append(b.list, o)
	b.bytes += o.bytes()
	b.unread += o.length()
}

// take moves what is oldest into a place with room for it.
func (b *outbox) take(some []outgoing) []outgoing {
	n := copy(some, b.list[b.first:])
	clear(b.list[b.first : b.first+n])
	b.first += n
	switch {
	case b.empty():
		b.list, b.first = nil, 0
	case b.first > len(b.list)/2: // what was taken is not kept for long
		b.list, b.first = append([]outgoing(nil), b.list[b.first:]...), 0
	}
	return some[:n]
}

// written tells that one that was taken takes nothing any more.
func (b *outbox) written(o *outgoing) {
	b.bytes -= o.bytes()
	b.unread -= o.length()
}

// drop forgets what waits.
func (b *outbox) drop() {
	for i := range b.list[b.first:] {
		b.list[b.first+i].release()
	}
	*b = outbox{}
}
