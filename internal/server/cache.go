package server

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/vantage-search/vantage/internal/encoder"
	"github.com/vantage-search/vantage/internal/lru"
)

// cacheKey is a hash of a text and its role, so that the cache keeps no texts.
type cacheKey [sha256.Size]byte

func keyOf(role encoder.Role, text string) cacheKey {
	h := sha256.New()
	h.Write([]byte(role))
	h.Write([]byte{0xff}) // this byte occurs in no role
	h.Write([]byte(text))
	return cacheKey(h.Sum(nil))
}

// keyOfSides is keyOf for a text's topic and angle.
func keyOfSides(role encoder.Role, text string) cacheKey {
	return keyOf("\xfd"+role, text) // no role begins with this byte
}

// keyOfIDs is a hash of a text's token ids. Token ids have no role.
func keyOfIDs(ids []uint32) cacheKey {
	b := append(make([]byte, 0, 1+4*len(ids)), 0xfe) // no role begins with it
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return sha256.Sum256(b)
}

// cache keeps the vectors of recent texts within a limit of bytes.
type cache = lru.Cache[cacheKey, encoder.Embedding]

// overhead is the approximate size of an entry without its vector, in bytes.
const overhead = 264

// costOf is the size of an entry of the cache in bytes.
func costOf(e encoder.Embedding) int64 { return int64(overhead + 4*len(e.Vector)) }

func newCache(limit int) *cache { return lru.New[cacheKey, encoder.Embedding](int64(limit)) }
