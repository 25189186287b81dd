// Package lru is a cache that is bounded in bytes and drops the least recently used values.
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps values within a limit of bytes. It may be used by several goroutines.
type Cache[K comparable, V any] struct {
	limit int64
	mu    sync.Mutex
	bytes int64
	items map[K]*list.Element
	order list.List // elements are *entry[K, V], the most recently used first
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int64
}

// New makes a cache of at most limit bytes. With a limit of 0 it keeps only values of 0
// bytes.
func New[K comparable, V any](limit int64) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, items: map[K]*list.Element{}}
}

// Get returns the value of a key and marks it as used. It reports whether there is one.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.items[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(at)
	return at.Value.(*entry[K, V]).value, true
}

// Put keeps a value of a given number of bytes, and drops other values if necessary. If
// the key has a value, that value stays. A value larger than the limit is not kept.
func (c *Cache[K, V]) Put(key K, value V, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[key]; ok || bytes > c.limit {
		return
	}
	c.items[key] = c.order.PushFront(&entry[K, V]{key, value, bytes})
	for c.bytes += bytes; c.bytes > c.limit; {
		old := c.order.Remove(c.order.Back()).(*entry[K, V])
		delete(c.items, old.key)
		c.bytes -= old.bytes
	}
}

// Bytes is the total size of the values.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
