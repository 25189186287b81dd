package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Parameters of the randomised SVD: extra columns, passes over the matrix, and the
// singular value, relative to the first, that counts as zero.
const (
	oversampling   = 32
	iterations     = 4
	leastRelative  = 1e-6
	randomSequence = 0x76616e74616765
)

// rightSingular returns the first k right singular vectors of m, or fewer if its rank
// is less. They are the columns of a matrix of m.cols × rank, stored row by row.
//
// It is the randomised subspace iteration of Halko, Martinsson and Tropp, 2011,
// "Finding Structure with Randomness", algorithm 4.4, on mᵀm, with a fixed sequence of
// random numbers, so that the result is the same in every run on a machine.
func rightSingular(ctx context.Context, m *sparse, k int, progress func(done, total int64)) (vectors []float64, rank int, err error) {
	width := min(k+oversampling, m.rows, m.cols)
	transposed := m.transpose()
	basis := make([]float64, m.cols*width)
	random := rand.New(rand.NewPCG(randomSequence, 1))
	for i := range basis {
		basis[i] = random.NormFloat64()
	}
	image := make([]float64, m.rows*width)
	for i := range iterations {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		orthonormalize(basis, m.cols, width)
		m.multiply(image, basis, width)
		transposed.multiply(basis, image, width)
		progress(int64(i+1), iterations+1)
	}
	orthonormalize(basis, m.cols, width)
	m.multiply(image, basis, width)

	// Rayleigh-Ritz: the eigenvectors of (mB)ᵀ(mB) rotate the basis B.
	gram := mat.NewSymDense(width, nil)
	gram.SymOuterK(1, mat.NewDense(m.rows, width, image).T())
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return nil, 0, errors.New("the singular value decomposition did not converge")
	}
	squares := eigen.Values(nil) // ascending
	var turn mat.Dense
	eigen.VectorsTo(&turn)
	largest := math.Sqrt(max(squares[width-1], 0))
	for rank < min(k, width) && math.Sqrt(max(squares[width-1-rank], 0)) > leastRelative*largest {
		rank++
	}
	if rank == 0 {
		return nil, 0, errors.New("the corpus has no known words")
	}
	chosen := mat.NewDense(width, rank, nil)
	for j := range rank {
		for i := range width {
			chosen.Set(i, j, turn.At(i, width-1-j))
		}
	}
	result := mat.NewDense(m.cols, rank, nil)
	result.Mul(mat.NewDense(m.cols, width, basis), chosen)
	progress(iterations+1, iterations+1)
	return result.RawMatrix().Data, rank, nil
}

// orthonormalize replaces the columns of a rows × cols matrix by an orthonormal basis
// of their span.
func orthonormalize(data []float64, rows, cols int) {
	a := blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: data}
	tau := make([]float64, cols)
	work := make([]float64, 1)
	lapack64.Geqrf(a, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(a, tau, work, len(work))
	lapack64.Orgqr(a, tau, work[:1], -1)
	work = make([]float64, max(int(work[0]), len(work)))
	lapack64.Orgqr(a, tau, work, len(work))
}
