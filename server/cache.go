package server

import (
	"container/list"
	"crypto/sha256"
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
const overhead = 200

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
