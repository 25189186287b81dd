package host

import (
	"context"
	"math"
	"testing"

	"github.com/vantage-search/vantage/internal/wasm/shard"
)

// Released memory is used again: a core that opens and closes many indexes needs only the
// memory of a few of them.
func TestMemoryIsFreed(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	made, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	in := made.(core).in
	const dim, n = 256, 20_000 // 20 MB
	vectors := make([]float32, dim*n)
	for i := range vectors {
		vectors[i] = float32(i%251) - 125
	}
	file, err := shard.EncodeRows(shard.F32, dim, vectors, nil)
	if err != nil {
		t.Fatal(err)
	}
	inUse := func() float64 {
		bits, err := in.raw("memory_in_use")
		if err != nil {
			t.Fatal(err)
		}
		return math.Float64frombits(bits)
	}
	var after []uint32
	for range 40 {
		ix, err := made.OpenIndex(dim, shard.F32, n)
		if err != nil {
			t.Fatal(err)
		}
		if err := ix.Load(0, file); err != nil {
			t.Fatal(err)
		}
		if inUse() < float64(len(file)) {
			t.Fatalf("%g bytes in use with %d loaded", inUse(), len(file))
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		after = append(after, in.module.Memory().Size())
	}
	if first, last := after[3], after[len(after)-1]; last > first {
		t.Errorf("memory grew from %d to %d bytes while one index at a time was open: %v", first, last, after)
	}
	if last := after[len(after)-1]; last > uint32(5*len(file)) {
		t.Errorf("%d bytes of memory for one index of %d", last, len(file))
	}
}

// Handles, addresses and lengths that calls of the ABI get are checked.
func TestBadCalls(t *testing.T) {
	ctx := context.Background()
	engine, err := New(ctx)
	if err != nil {
		t.Fatal(err)
	}
	made, err := engine.Core(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Close()
	in := made.(core).in
	buffer, err := in.allocate(1000)
	if err != nil {
		t.Fatal(err)
	}
	index, err := in.call("index_open", 4, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := in.call("index_open", 4, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.call("index_numbers", uint64(index), 0, 0, uint64(buffer), 10); err != nil {
		t.Fatal(err)
	}
	b, i := uint64(buffer), uint64(index)
	const nowhere = math.MaxUint32
	for name, call := range map[string]struct {
		function string
		args     []uint64
		code     int32
	}{
		"an index that is not there":   {"index_rows", []uint64{99}, -2},
		"an encoder that is not there": {"encoder_dim", []uint64{0}, -2},
		"closing no index":             {"index_close", []uint64{nowhere}, -2},
		"releasing no buffer":          {"release", []uint64{4}, -3},
		"a vector nowhere":             {"index_add", []uint64{i, nowhere}, -3},
		"a vector out of line":         {"index_add", []uint64{i, b + 2}, -3},
		"a vector over the edge":       {"index_add", []uint64{i, b + 992}, -3},
		"a file within a buffer":       {"index_load", []uint64{i, 0, b + 8, 100}, -3},
		"a file longer than it is":     {"index_load", []uint64{i, 0, b, 1001}, -3},
		"a file that is none":          {"index_load", []uint64{i, 0, b, 1000}, -4},
		"a request nowhere":            {"index_search", []uint64{i, 8, b, 1}, -3},
		"a request of zeros":           {"index_search", []uint64{i, b, b, 1}, -3},
		"numbers over the edge":        {"index_numbers", []uint64{i, 0, 0, b, 126}, -3},
		"numbers without end":          {"index_numbers", []uint64{i, 0, 0, b, nowhere}, -3},
		"rows beyond the last":         {"index_numbers", []uint64{i, 0, 9, b, 2}, -6},
		"a type of rows":               {"index_open", []uint64{4, 7, 10}, -7},
		"a dimension of nothing":       {"index_open", []uint64{0, 0, 10}, -6},
		"rows without end":             {"index_open", []uint64{4, 0, nowhere}, -6},
		"a tokenizer of zeros":         {"encoder_open", []uint64{b, 10, b, 10, b, 10}, -4},
		"a text nowhere":               {"query_split", []uint64{0, nowhere, nowhere, b}, -3},
		"a row at a place in use":      {"index_add_at", []uint64{i, 9, b}, -4},
		"a row from nowhere":           {"index_add_at", []uint64{i, 10, nowhere}, -3},
		"the gate of a bad request":    {"index_gate", []uint64{i, b, b, 10}, -3},
		"a cut to nowhere":             {"index_cut", []uint64{i, b, b, 10, nowhere}, -3},
		"hits ahead over the edge":     {"index_ahead", []uint64{i, b, b, 1000}, -3},
		"an explanation of bad hits":   {"index_explain", []uint64{i, b, b, 1000}, -3},
		"a mask over the edge":         {"index_mask", []uint64{i, b, 1, b, 1001}, -3},
		"a mask without room":          {"index_mask", []uint64{i, b, 1, b, 9}, -6},
		"a mask by no column":          {"index_mask", []uint64{uint64(bare), b, 1, b, 10}, -5},
		"a mask by nothing":            {"index_mask", []uint64{i, b, 0, b, 10}, -4},
		"filters over the edge":        {"index_mask", []uint64{i, b, 100, b, 10}, -3},
		"documents without room":       {"index_documents", []uint64{i, 0, 0, b, 9}, -6},
		"documents of no mask":         {"index_documents", []uint64{i, nowhere, 10, b, 10}, -3},
		"records of no rows":           {"index_records", []uint64{i, b, 1, b, 1000}, -4},
		"records without room":         {"index_records", []uint64{i, b, 2, b, 50}, -6},
		"records to nowhere":           {"index_records", []uint64{i, b, 2, nowhere, 50}, -3},
		"diversity of a bad request":   {"index_diversify", []uint64{i, b, b, 1, b, 48}, -3},
	} {
		_, err := in.call(call.function, call.args...)
		refused, ok := err.(*CallError)
		if !ok || refused.Code != call.code || refused.Text == "" {
			t.Errorf("%s: %v, want code %d", name, err, call.code)
		}
	}
	if _, err := in.allocate(3 << 30); err == nil {
		t.Error("3 GB in one buffer were given out")
	}
	if _, err := in.call("index_rows", i); err != nil {
		t.Errorf("after all that: %v", err)
	}
}
