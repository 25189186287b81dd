package encode

import (
	"sort"
	"strings"
)

// trie finds all tokens that are prefixes of a text. Its nodes are stored level by
// level, with the children of a node side by side in the order of their bytes.
type trie struct {
	bytes    []byte   // byte that leads to each node; the root's is unused
	children []uint32 // node i has the children children[i] to children[i+1]-1
	tokens   []uint32 // id of the token that ends at each node, or noToken
}

const noToken = ^uint32(0)

// tokenOrder sorts ids by their tokens, equal ones by id.
type tokenOrder struct {
	ids    []uint32
	tokens []string
}

func (o tokenOrder) Len() int      { return len(o.ids) }
func (o tokenOrder) Swap(i, j int) { o.ids[i], o.ids[j] = o.ids[j], o.ids[i] }
func (o tokenOrder) Less(i, j int) bool {
	if c := strings.Compare(o.tokens[o.ids[i]], o.tokens[o.ids[j]]); c != 0 {
		return c < 0
	}
	return o.ids[i] < o.ids[j]
}

// newTrie makes a trie of tokens, whose ids are their indexes. Of equal tokens the last
// counts; empty ones are left out.
func newTrie(tokens []string) *trie {
	order := tokenOrder{make([]uint32, len(tokens)), tokens}
	for i := range order.ids {
		order.ids[i] = uint32(i)
	}
	sort.Sort(order)
	// level holds, for each node of a level, the range of sorted tokens below it.
	type stretch struct{ from, to int }
	level := []stretch{{0, len(tokens)}}
	t := &trie{bytes: []byte{0}, tokens: []uint32{noToken}}
	nodes := 1 // number of nodes so far
	for depth := 0; len(level) > 0; depth++ {
		var next []stretch
		for _, s := range level {
			for s.from < s.to && len(tokens[order.ids[s.from]]) == depth {
				s.from++ // the token ends at this node, whose id is set already
			}
			t.children = append(t.children, uint32(nodes))
			for s.from < s.to {
				b, end, id := tokens[order.ids[s.from]][depth], s.from, noToken
				for end < s.to && tokens[order.ids[end]][depth] == b {
					if len(tokens[order.ids[end]]) == depth+1 {
						id = order.ids[end]
					}
					end++
				}
				t.bytes, t.tokens = append(t.bytes, b), append(t.tokens, id)
				next = append(next, stretch{s.from, end})
				s.from = end
				nodes++
			}
		}
		level = next
	}
	t.children = append(t.children, uint32(nodes))
	return t
}

// child returns the node below a node by a byte, or 0.
func (t *trie) child(node uint32, b byte) uint32 {
	low, high := t.children[node], t.children[node+1]
	for high-low > 8 {
		if middle := (low + high) / 2; t.bytes[middle] <= b {
			low = middle
		} else {
			high = middle
		}
	}
	for ; low < high; low++ {
		if t.bytes[low] == b {
			return low
		}
	}
	return 0
}

// find returns the id of a token.
func (t *trie) find(token string) (uint32, bool) {
	node := uint32(0)
	for i := range len(token) {
		if node = t.child(node, token[i]); node == 0 {
			return 0, false
		}
	}
	id := t.tokens[node]
	return id, id != noToken
}
