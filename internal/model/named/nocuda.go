//go:build !cuda

package named

import (
	"errors"

	"github.com/vantage-search/vantage/internal/model"
)

// cudaBuilt reports whether this program can compute on a GPU.
const cudaBuilt = false

func openCUDA(int, bool, func(text string)) (model.Device, error) {
	return nil, errors.New("built without -tags cuda")
}
