// Command tokenbench compares this project's storage and search of token vectors with
// fast-plaid's, on the same vectors, with one thread each, in turns within one run. It prints
// recall@10 against exact MaxSim in NumPy, the CPU time of a search, the size of the index, and
// the CPU time of building it. Usage:
//
//	go run ./tests/tokenbench PYTHON
//
// PYTHON must have numpy. If fast-plaid cannot be imported, the rows of fast-plaid are left out.
// `make bench-tokens` installs both. The vectors are the last hidden states of
// ../shared/model/sides/topic, which a fixed projection maps to 128 components, the number that
// released ColBERTs have. With -keep, they are kept for another run.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/vantage-search/vantage/internal/collection"
	"github.com/vantage-search/vantage/internal/human"
	"github.com/vantage-search/vantage/internal/testing/peer"
	"github.com/vantage-search/vantage/internal/wasm/tokens"
	"github.com/vantage-search/vantage/perspective"
)

const k = 10

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := bench{}
	flag.StringVar(&b.shared, "shared", filepath.Join("..", "shared"), "`FOLDER` with data and model")
	flag.StringVar(&b.keep, "keep", "", "`FOLDER` that keeps the vectors (default a temporary one)")
	flag.IntVar(&b.dim, "dim", 128, "components of a token vector, at most the model's 384")
	flag.IntVar(&b.passages, "passages", 10_000, "number of passages")
	flag.IntVar(&b.queries, "queries", 200, "number of queries")
	flag.IntVar(&b.rounds, "rounds", 5, "number of rounds; the least time is reported")
	flag.IntVar(&b.candidates, "candidates", 0, "documents that are ranked by MaxSim (default: as in a search)")
	flag.StringVar(&b.plaid, "plaid", "4", "bits per component at which fast-plaid is measured, with commas; each takes minutes to build")
	flag.Parse()
	if flag.NArg() != 1 || b.rounds < 1 || b.passages < 1 || b.queries < 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./tests/tokenbench [FLAGS] PYTHON")
		os.Exit(2)
	}
	if err := b.run(ctx, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "tokenbench:", err)
		os.Exit(1)
	}
}

type bench struct {
	shared, keep              string
	weights                   []byte // of the model
	plaid                     string
	dim                       int // of a token vector
	passages, queries, rounds int
	candidates                int // 0: the default

	documents, asked [][]float32
	passageTexts     []string
	folder           string      // of the ColBERT
	exact            [][]int     // [queries] the ten best documents by exact MaxSim in NumPy
	scores           [][]float64 // [queries] the scores of these and of the next one
}

// row is a line of the table.
type row struct {
	name   string
	recall float64 // share of the ten best by exact MaxSim that are found
	same   int     // number of queries with the same ten
	off    float64 // root mean square of the errors of their scores; NaN: unknown
	milliseconds,
	seconds float64 // CPU time of building
	bytes int64
}

func (b *bench) run(ctx context.Context, python string) (err error) {
	if b.passages <= k {
		return fmt.Errorf("-passages %d: must be at least %d, because the scores of ranks %d and %d are compared", b.passages, k+1, k, k+1)
	}
	if b.keep == "" {
		if b.keep, err = os.MkdirTemp("", "tokenbench-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.keep)
	}
	if b.documents, b.asked, err = b.vectors(ctx); err != nil {
		return err
	}
	vectors := 0
	for _, d := range b.documents {
		vectors += len(d) / b.dim
	}
	runtime.GOMAXPROCS(1)
	command := exec.Command(python, filepath.Join("tests", "tokenbench", "peer.py"), b.keep, strconv.Itoa(b.dim))
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "RAYON_NUM_THREADS=1", "TOKENIZERS_PARALLELISM=false")
	other, err := peer.Start(command)
	if err != nil {
		return err
	}
	defer other.Stop()
	var truth answer
	if err := other.Ask(order{Do: "exact", K: k}, &truth); err != nil {
		return err
	}
	b.exact, b.scores = truth.Found, truth.Scores
	version := "no fast-plaid"
	if truth.Version != "" {
		version = "fast-plaid " + truth.Version
	}
	fmt.Printf("%d passages, %d vectors × %d (%s at float32), %d queries of %d vectors, one thread, %s, least of %d rounds\n",
		len(b.documents), vectors, b.dim, human.Bytes(int64(4*b.dim*vectors)), len(b.asked), len(b.asked[0])/b.dim, version, b.rounds)
	gaps := make([]float64, len(b.scores))
	for i, s := range b.scores {
		gaps[i] = s[k-1] - s[k]
	}
	slices.Sort(gaps)
	fmt.Printf("scores of ranks 10 and 11 differ by %.4f, %.4f and %.4f (quartiles)\n\n", gaps[len(gaps)/4], gaps[len(gaps)/2], gaps[len(gaps)*3/4])
	fmt.Printf("%-34s %9s %9s %9s %12s %10s %12s\n", "", "recall@10", "same ten", "error", "search (ms)", "build (s)", "bytes")
	b.print(row{"exact MaxSim in NumPy, float32", 1, len(b.asked), 0, truth.Milliseconds, 0, int64(4 * b.dim * vectors)})
	start := processor()
	learned, err := collection.LearnTokens(ctx, b.dim, 8, len(b.documents), 1, func(i int) ([]float32, error) { return b.documents[i], nil }, func(int, int) {})
	if err != nil {
		return err
	}
	learning := (processor() - start).Seconds()
	centroids, err := tokens.EncodeCodebook(learned)
	if err != nil {
		return err
	}
	indexes := map[int]*tokens.Index{}
	ours := map[int]row{}
	for _, bits := range []int{8, 4, 2} {
		r := row{name: fmt.Sprintf("vantage, %d bits", bits)}
		if indexes[bits], r.bytes, r.seconds, err = b.build(centroids, bits); err != nil {
			return err
		}
		r.seconds += learning
		all := row{name: fmt.Sprintf("vantage, %d bits, all compared", bits), bytes: r.bytes}
		for range b.rounds {
			if err := b.search(indexes[bits], &r, b.candidates); err != nil {
				return err
			}
		}
		if err := b.search(indexes[bits], &all, len(b.documents)); err != nil {
			return err
		}
		b.print(r)
		b.print(all)
		for _, n := range []int{20, 50} {
			again := row{name: fmt.Sprintf("vantage, %d bits, %d encoded again", bits, n), bytes: r.bytes}
			if err := b.rescore(ctx, indexes[bits], &again, n); err != nil {
				return err
			}
			b.print(again)
		}
		ours[bits] = r
	}
	if truth.Version == "" {
		return nil
	}
	for text := range strings.SplitSeq(b.plaid, ",") {
		bits, err := strconv.Atoi(text)
		if err != nil || indexes[bits] == nil {
			return fmt.Errorf("-plaid %s: must be 8, 4 or 2, or several of them with commas", b.plaid)
		}
		var built answer
		if err := other.Ask(order{Do: "build", Bits: bits}, &built); err != nil {
			return err
		}
		theirs := row{name: fmt.Sprintf("fast-plaid, %d bits", bits), off: math.NaN(), bytes: built.Bytes, seconds: built.Seconds}
		turns := ours[bits].inTurns()
		for range b.rounds {
			if err := b.search(indexes[bits], &turns, b.candidates); err != nil {
				return err
			}
			var found answer
			if err := other.Ask(order{Do: "search", K: k}, &found); err != nil {
				return err
			}
			theirs.take(found.Milliseconds)
			theirs.recall, theirs.same = b.recall(found.Found)
		}
		b.print(turns)
		b.print(theirs)
	}
	return nil
}

func (b *bench) print(r row) {
	off := fmt.Sprintf("%.4f", r.off)
	if math.IsNaN(r.off) {
		off = "n/a"
	}
	fmt.Printf("%-34s %9.4f %9d %9s %12.2f %10.1f %12s\n", r.name, r.recall, r.same, off, r.milliseconds, r.seconds, human.Bytes(r.bytes))
}

func (r *row) take(milliseconds float64) {
	if r.milliseconds == 0 || milliseconds < r.milliseconds {
		r.milliseconds = milliseconds
	}
}

// inTurns is a row of the same index, for rounds that alternate with another program's. Other rounds
// do not count, because the other program has none of them.
func (r row) inTurns() row {
	return row{name: r.name + ", in turns", bytes: r.bytes, seconds: r.seconds}
}

// build stores the vectors as a collection does, with the given bits per component and a file of
// centroids. It returns the index, its size in bytes, and the CPU time in seconds.
func (b *bench) build(centroids []byte, bits int) (ix *tokens.Index, size int64, seconds float64, err error) {
	start := processor()
	book, err := tokens.DecodeCodebook(centroids, bits)
	if err != nil {
		return nil, 0, 0, err
	}
	var stored tokens.Vectors
	for _, d := range b.documents {
		if err := book.Encode(&stored, d); err != nil {
			return nil, 0, 0, err
		}
	}
	file, err := book.EncodeFile(&stored)
	if err != nil {
		return nil, 0, 0, err
	}
	seconds = (processor() - start).Seconds()
	if ix, err = tokens.New(book, len(b.documents)); err == nil {
		err = ix.Load(0, file)
	}
	return ix, int64(len(file) + len(centroids)), seconds, err
}

// search answers all queries and notes the result in r. candidates 0 means the default.
func (b *bench) search(ix *tokens.Index, r *row, candidates int) error {
	found := make([][]int, len(b.asked))
	squares, n := 0.0, 0
	start := processor()
	for i, q := range b.asked {
		hits, err := ix.Search(&tokens.Request{TokenQuery: perspective.TokenQuery{Vectors: q}, K: k, Candidates: candidates})
		if err != nil {
			return err
		}
		for _, h := range hits {
			found[i] = append(found[i], int(h.Document))
			if at := slices.Index(b.exact[i], int(h.Document)); at >= 0 {
				off := float64(h.Score) - b.scores[i][at]
				squares, n = squares+off*off, n+1
			}
		}
	}
	r.off = math.Sqrt(squares / float64(max(n, 1)))
	r.take((processor() - start).Seconds() * 1000 / float64(len(b.asked)))
	r.recall, r.same = b.recall(found)
	return nil
}

func (b *bench) recall(found [][]int) (recall float64, same int) {
	hits := 0
	for i, want := range b.exact {
		n := 0
		for _, d := range want {
			if slices.Contains(found[i], d) {
				n++
			}
		}
		if hits += n; n == len(want) {
			same++
		}
	}
	return float64(hits) / float64(k*len(b.exact)), same
}

// order is a request to the Python process, answer its reply.
type order struct {
	Do   string `json:"do"`
	K    int    `json:"k"`
	Bits int    `json:"bits"`
}

type answer struct {
	Version      string      `json:"version"`
	Found        [][]int     `json:"found"`
	Scores       [][]float64 `json:"scores"`       // of the exact ones, and the next one
	Milliseconds float64     `json:"milliseconds"` // CPU time per query
	Seconds      float64     `json:"seconds"`
	Bytes        int64       `json:"bytes"`
}

// processor returns the CPU time of this process so far.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// readCounts reads the number of vectors of each text.
func readCounts(path string) (counts []int, err error) {
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &counts)
	}
	return counts, err
}
