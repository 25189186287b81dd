package trec

// Each calls visit for every document of a run in the order of its lines, until visit
// returns false. line is 0 for a document that Add added.
func (r *Run) Each(visit func(line int, query, document string, score float32) bool) {
	for i := range r.blocks {
		b := &r.blocks[i]
		for at := b.first; at < b.last; at++ {
			line := 0
			if b.line > 0 {
				line = int(b.line + (at - b.first))
			}
			e := r.entries.at(int(at))
			if !visit(line, r.ids[b.query], r.arena.id(e), e.value()) {
				return
			}
		}
	}
}
