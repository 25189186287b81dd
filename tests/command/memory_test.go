package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vantage-search/vantage/internal/testing/resident"

	"github.com/vantage-search/vantage/internal/model/modeltest"
)

// maxBeside bounds the memory of an encoding process beside the weights, in
// bytes.
const maxBeside = 200 << 20

// An encoding process has the weights in its memory once, and little beside
// them, also while it loads them and under concurrent requests.
func TestMemory(t *testing.T) {
	t.Parallel()
	_, peak := memory(t, modeltest.MiniLM, 3, 6)
	t.Logf("at most %d MB", peak>>20)
}

// BenchmarkMemory prints the memory of the processes.
func BenchmarkMemory(b *testing.B) {
	for _, s := range []struct {
		name  string
		shape modeltest.Shape
	}{{"MiniLM-L6", modeltest.MiniLM}, {"BERT-base", modeltest.BERTBase}} {
		for _, flags := range [][]string{nil, {"--int8"}} {
			b.Run(strings.Join(append([]string{s.name}, flags...), ""), func(b *testing.B) {
				for b.Loop() {
					weights, peak := memory(b, s.shape, 3, 16, flags...)
					b.ReportMetric(float64(weights)/1e6, "MB-weights")
					b.ReportMetric(float64(peak)/1e6, "MB-peak")
				}
			})
		}
	}
}

// memory starts a server with a model, requests the vectors of 32 texts of up to 64
// tokens and of some of nearly 512, several times at once, and returns the bytes of the
// weights and the server's peak memory.
func memory(t testing.TB, shape modeltest.Shape, atOnce, long int, flags ...string) (weights, peak int64) {
	if _, err := os.Stat("/proc/self/status"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the system does not report a process's peak memory")
	}
	dir := t.TempDir()
	if err := shape.Write(filepath.Join(dir, "model"), 1); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "model", "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	s := await(t, weighed(dir, append([]string{"serve", "--listen", "127.0.0.1:0", "--model", "model", "--log", "off"}, flags...)...))
	var clients sync.WaitGroup
	for client := range atOnce {
		clients.Go(func() {
			var texts []string // different for each client, because the server caches vectors
			for i := range 32 + long {
				tokens := 64
				if i >= 32 {
					tokens = 512
				}
				texts = append(texts, fmt.Sprintf("%c%s", 'b'+client, strings.Repeat(" night", tokens-3-i)))
			}
			embed(t, s, texts[:32])
			for some := range slices.Chunk(texts[32:], 4) {
				embed(t, s, some)
			}
		})
	}
	clients.Wait()
	if _, peak, err = resident.Of(s.cmd.Process.Pid); err != nil || peak == 0 {
		t.Fatalf("the system does not report the peak memory: %v", err)
	}
	if peak > info.Size()+maxBeside {
		t.Errorf("%d MB for weights of %d MB, at most %d MB beside them", peak>>20, info.Size()>>20, maxBeside>>20)
	}
	s.stop(t, os.Interrupt)
	return info.Size(), peak
}

// embed requests the vectors of texts from a server.
func embed(t testing.TB, s *server, texts []string) {
	body, err := json.Marshal(map[string]any{"input": texts})
	if err != nil {
		t.Error(err)
		return
	}
	r, err := http.Post(s.url+"v1/embeddings", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("%d texts: %s", len(texts), r.Status)
	}
}
