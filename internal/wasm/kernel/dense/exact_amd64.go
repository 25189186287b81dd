package dense

func exactTile(rows, columns, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	plainExactTile(rows, columns, k, a, lda, b, ldb, c, ldc)
}

func exactGELU(x []float32) { plainExactGELU(x) }

func exactGELUTanh(x []float32) { plainExactGELUTanh(x) }

// exactSoftmax of the first n numbers.
func exactSoftmax(x []float32, n int, scale float32) { plainExactSoftmax(x[:n], scale) }

func exactNorm(to, x, residual, gamma, beta []float32, epsilon float32) {
	plainExactNorm(to, x, residual, gamma, beta, epsilon)
}
