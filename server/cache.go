package server

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/vantage-search/vantage/model"
)

// cacheKey stands for a text and its role, so that no text is kept.
type cacheKey [sha256.Size]byte

func keyOf(role model.Role, text string) cacheKey {
	h := sha256.New()
	h.Write([]byte(role))
	h.Write([]byte{0xff}) // in no role
	h.Write([]byte(text))
	return cacheKey(h.Sum(nil))
}

// keyOfIDs stands for the ids of a text's tokens, which no role changes.
func keyOfIDs(ids []uint32) cacheKey {
	b := append(make([]byte, 0, 1+4*len(ids)), 0xfe) // no role begins with it
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return sha256.Sum256(b)
}

// cache keeps the vectors of recent texts within a limit of bytes.
type cache struct {
	limit int
	mu    sync.Mutex
	bytes int
	items map[cacheKey]*list.Element
	order list.List // of *cached, the most recently used first
}

type cached struct {
	key       cacheKey
	embedding model.Embedding
}

// overhead of an entry beside its vector, about.
const overhead = 264

func (c *cached) bytes() int { return overhead + 4*len(c.embedding.Vector) }

func newCache(limit int) *cache {
	return &cache{limit: limit, items: map[cacheKey]*list.Element{}}
}

func (c *cache) get(key cacheKey) (model.Embedding, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.items[key]
	if !ok {
		return model.Embedding{}, false
	}
	c.order.MoveToFront(at)
	return at.Value.(*cached).embedding, true
}

func (c *cache) put(key cacheKey, e model.Embedding) {
	entry := &cached{key, e}
	if entry.bytes() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[key]; ok { // encoded twice at once: the same vector
		return
	}
	c.items[key] = c.order.PushFront(entry)
	c.bytes += entry.bytes()
	for c.bytes > c.limit {
		last := c.order.Back()
		old := c.order.Remove(last).(*cached)
		delete(c.items, old.key)
		c.bytes -= old.bytes()
	}
}

func (c *cache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
