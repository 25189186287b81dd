package server

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/lru"
)

// cacheKey stands for a text and its role, so that no text is kept.
type cacheKey [sha256.Size]byte

func keyOf(role encoder.Role, text string) cacheKey {
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
type cache = lru.Cache[cacheKey, encoder.Embedding]

// overhead of an entry beside its vector, about.
const overhead = 264

// costOf is what an entry of the cache takes.
func costOf(e encoder.Embedding) int64 { return int64(overhead + 4*len(e.Vector)) }

func newCache(limit int) *cache { return lru.New[cacheKey, encoder.Embedding](int64(limit)) }
