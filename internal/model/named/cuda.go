//go:build cuda

package named

import (
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/xla"
)

// cudaBuilt reports whether this program can compute on a GPU.
const cudaBuilt = true

func openCUDA(gpu int, bf16 bool, log func(text string)) (model.Device, error) {
	return xla.OpenCUDA(gpu, bf16, log)
}
