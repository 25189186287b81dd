package server

// outgoing is a frame that waits to be written: its bytes, or a reference to a frame of
// a request.
type outgoing struct {
	frame   []byte
	request *request // nil if frame has the bytes
	index   int      // index of the text, or the constant whole for the DONE frame
}

// outgoingBytes is the memory of an outgoing, including the spare room of a growing
// list.
const outgoingBytes = 96

// bytes is the frame's memory, without the memory that counts for its request.
func (o *outgoing) bytes() int { return outgoingBytes + len(o.frame) }

// length is about the number of bytes to write.
func (o *outgoing) length() int {
	if o.request != nil {
		return o.request.frameSize(o.index)
	}
	return len(o.frame)
}

// content is the frame's bytes.
func (o *outgoing) content() []byte {
	if o.request != nil {
		return o.request.frame(o.index)
	}
	return o.frame
}

// release drops the reference to the request.
func (o *outgoing) release() {
	if o.request != nil {
		o.request.release()
	}
}

// outbox is the list of frames that wait to be written to a connection, oldest
// first. It counts their memory until they are written.
type outbox struct {
	list   []outgoing
	first  int // index in list of the first waiting frame
	bytes  int // memory of the frames
	unread int // bytes to write
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

// take moves the oldest frames into a slice with room for them.
func (b *outbox) take(some []outgoing) []outgoing {
	n := copy(some, b.list[b.first:])
	clear(b.list[b.first : b.first+n])
	b.first += n
	switch {
	case b.empty():
		b.list, b.first = nil, 0
	case b.first > len(b.list)/2: // lets taken frames be collected
		b.list, b.first = append([]outgoing(nil), b.list[b.first:]...), 0
	}
	return some[:n]
}

// written stops counting a frame after take.
func (b *outbox) written(o *outgoing) {
	b.bytes -= o.bytes()
	b.unread -= o.length()
}

// drop discards the waiting frames.
func (b *outbox) drop() {
	for i := range b.list[b.first:] {
		b.list[b.first+i].release()
	}
	*b = outbox{}
}
