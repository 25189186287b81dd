package sides

import (
	"fmt"
	"math"

	"github.com/vantage-search/vantage/internal/wasm/fault"
	"github.com/vantage-search/vantage/internal/wasm/pack"
)

// Calibration has the constants by which scores become probabilities.
type Calibration struct {
	Width    float64 `json:"width"`     // of the sigmoids of three classes
	Level    float64 `json:"level"`     // score at which a text is for the root with a probability of one half
	TwoWidth float64 `json:"two_width"` // of the sigmoid of two classes
}

// standard constants are those that were fitted for the angle branch of Vantage's own
// model, on Perspectrum's development split and on texts written for it.
var standard = Calibration{Width: .175, Level: .14, TwoWidth: .195}

// Table is the table of numbers in a pack that has its constants: the width of two
// classes, and the width and the level of three.
const Table = "calibration"

// calibration returns the constants of a pack, or the standard ones if it has none.
func calibration(m *pack.Manifest) (Calibration, error) {
	n, ok := m.Numbers[Table]
	if !ok {
		return standard, nil
	}
	if len(n) != 3 || !(n[0] > 0) || !(n[1] > 0) || !(n[2] >= 0) {
		return Calibration{}, fault.Errorf(fault.Input, "the pack's table %q is %v: it must be the width of two classes and that of three, both above 0, and the level of three, from 0 on", Table, n)
	}
	return Calibration{TwoWidth: n[0], Width: n[1], Level: n[2]}, nil
}

func (c Calibration) String() string {
	return fmt.Sprintf("three classes: width %g, level %g; two classes: width %g", c.Width, c.Level, c.TwoWidth)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// leastNeither is the least probability of neither side before the three are scaled to
// add up to 1.
const leastNeither = 1e-4

// Three are the probabilities that a text with a score is for the root, on neither
// side, and against it: sigmoid((score − Level)/Width), the rest, and
// sigmoid((−score − Level)/Width).
func (c Calibration) Three(score float64) (pro, neither, con float64) {
	pro, con = sigmoid((score-c.Level)/c.Width), sigmoid((-score-c.Level)/c.Width)
	neither = max(leastNeither, 1-pro-con)
	sum := pro + neither + con
	return pro / sum, neither / sum, con / sum
}

// Two is the probability that a text with a score is for the root, if it has a side:
// sigmoid(score/TwoWidth).
func (c Calibration) Two(score float64) float64 { return sigmoid(score / c.TwoWidth) }

// predict returns the most probable side of a text; of equal ones the first of for,
// neither and against.
func (c Calibration) predict(t Scored, classes int) Prediction {
	pro, con := c.Two(t.Score), 0.0
	neither := 0.0
	if classes == 3 {
		pro, neither, con = c.Three(t.Score)
	} else {
		con = 1 - pro
	}
	side, most := For, pro
	if neither > most {
		side, most = Neither, neither
	}
	if con > most {
		side, most = Against, con
	}
	return Prediction{most, side == t.Side}
}
