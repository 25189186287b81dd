package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/approx"
	"github.com/vantage-search/vantage/internal/testing/jsonfile"
	"github.com/vantage-search/vantage/internal/wasm/fault"
)

// golden reads the annotated frames of testdata.
func golden(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d golden frames (%v)", len(files), err)
	}
	frames := map[string][]byte{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var digits strings.Builder
		for line := range strings.Lines(string(content)) {
			line, _, _ = strings.Cut(line, "#")
			digits.WriteString(strings.Join(strings.Fields(line), ""))
		}
		b, err := hex.DecodeString(digits.String())
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		frames[strings.TrimSuffix(filepath.Base(file), ".txt")] = b
	}
	return frames
}

// describe is a frame in the form of frames.json.
func describe(t *testing.T, f Frame) map[string]any {
	switch f := f.(type) {
	case *Hello:
		return map[string]any{"type": "hello", "token": hex.EncodeToString(f.Token[:])}
	case *Encode:
		texts := []any{}
		for _, text := range f.Texts {
			texts = append(texts, string(text))
		}
		return map[string]any{"type": "encode", "id": f.ID, "role": f.Role, "dtype": f.DType, "dimensions": f.Dimensions, "deadline": f.Deadline, "texts": texts}
	case *Cancel:
		return map[string]any{"type": "cancel", "id": f.ID}
	case *Resume:
		have := []any{}
		for i := range int(f.Count) {
			if f.Has(i) {
				have = append(have, i)
			}
		}
		return map[string]any{"type": "resume", "id": f.ID, "count": f.Count, "have": have}
	case *Ack:
		return map[string]any{"type": "ack", "id": f.ID}
	case *Ping:
		return map[string]any{"type": "ping", "nonce": hex.EncodeToString(f.Nonce[:])}
	case *Welcome:
		return map[string]any{"type": "welcome", "resumed": f.Resumed, "token": hex.EncodeToString(f.Token[:]), "facts": json.RawMessage(f.Facts)}
	case *Vector:
		values := []float64{} // the type of JavaScript's numbers
		for _, x := range f.Floats() {
			values = append(values, float64(x)+0) // a zero for negative zeros
		}
		return map[string]any{"type": "vector", "id": f.ID, "index": f.Index, "truncated": f.Truncated, "tokens": f.Tokens, "dtype": f.DType, "scale": f.Scale, "values": values}
	case *Fault:
		return map[string]any{"type": "fault", "id": f.ID, "index": f.Index, "code": f.Code, "retry": f.Retry, "message": f.Message}
	case *Done:
		return map[string]any{"type": "done", "id": f.ID, "vectors": f.Vectors, "faults": f.Faults, "tokens": f.Tokens}
	case *Pong:
		return map[string]any{"type": "pong", "nonce": hex.EncodeToString(f.Nonce[:])}
	case *Goodbye:
		return map[string]any{"type": "goodbye", "retry": f.Retry}
	}
	t.Fatalf("a frame of type %T", f)
	return nil
}

// plain is a value after a round trip through JSON.
func plain(t *testing.T, v any) (out any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGoldenFrames(t *testing.T) {
	var want map[string]any
	jsonfile.Read(t, "testdata/frames.json", &want)
	good := 0
	for name, b := range golden(t) {
		f, err := Parse(b)
		if strings.HasPrefix(name, "bad_") {
			if err == nil {
				t.Errorf("%s: taken for %+v", name, f)
			}
			continue
		}
		good++
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := plain(t, describe(t, f)); !reflect.DeepEqual(got, want[name]) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, want[name])
		}
		if again := f.Append(nil); !bytes.Equal(again, b) {
			t.Errorf("%s:\n got %x\nwant %x", name, again, b)
		}
	}
	if good != len(want) || good != len(layouts)+2 { // VECTOR occurs with three types
		t.Errorf("%d good frames, %d described, %d types", good, len(want), len(layouts))
	}
}

// A frame that is cut, or has an extra byte, is refused.
func TestTornFrames(t *testing.T) {
	for name, b := range golden(t) {
		if strings.HasPrefix(name, "bad_") {
			continue
		}
		for n := range b {
			if f, err := Parse(b[:n:n]); err == nil {
				t.Errorf("%d bytes of %s: %+v", n, name, f)
			}
		}
		if f, err := Parse(append(bytes.Clone(b), 0)); err == nil {
			t.Errorf("%s and a byte: %+v", name, f)
		}
	}
}

// Vectors come back within the rounding of their type.
func TestVectorTypes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		v := make([]float32, 1+random.IntN(70))
		largest := 0.0
		for i := range v {
			v[i] = float32(random.NormFloat64())
			largest = max(largest, math.Abs(float64(v[i])))
		}
		for d, tolerance := range map[DType]float64{F32: 0, F16: largest / 2048, Int8: largest / 254 * 1.0001} {
			b := NewVector(3, 4, v, d).Append(nil)
			if len(b) != VectorSize(len(v), d) {
				t.Fatalf("type %d: %d bytes, not %d", d, len(b), VectorSize(len(v), d))
			}
			f, err := Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range f.(*Vector).Floats() {
				if approx.Apart(float64(x), float64(v[i]), tolerance) {
					t.Errorf("type %d: %v came back as %v", d, v[i], x)
				}
			}
		}
	}
	if f := NewVector(1, 1, make([]float32, 5), Int8); f.Scale != 0 || !bytes.Equal(f.Payload, make([]byte, 5)) {
		t.Errorf("zeros: %+v", f)
	}
}

// A parsed frame is written back to the same bytes.
func FuzzParse(f *testing.F) {
	for _, b := range golden(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		frame, err := Parse(b)
		if err != nil {
			return
		}
		if again := frame.Append(nil); !bytes.Equal(again, b) {
			t.Errorf("got %x\nwant %x", again, b)
		}
		if v, ok := frame.(*Vector); ok {
			v.Floats()
		}
	})
}

// Every code has a kind of fault. An unknown code is internal.
func TestCodesHaveKinds(t *testing.T) {
	for code := CodeProtocol; code <= CodeShuttingDown; code++ {
		if _, ok := kinds[code]; !ok {
			t.Errorf("code %d has no kind", code)
		}
	}
	if len(kinds) != int(CodeShuttingDown) || Code(999).Kind() != fault.Internal || CodeTooLarge.Kind() != fault.Limit {
		t.Errorf("%d kinds of %d codes; 999 is %s, too_large is %s", len(kinds), CodeShuttingDown, Code(999).Kind(), CodeTooLarge.Kind())
	}
}
