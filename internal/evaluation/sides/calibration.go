package sides

import "github.com/vantage-search/vantage/internal/wasm/stance"

// Calibration has the constants by which scores become probabilities.
type Calibration = stance.Calibration

// Table is the name of the table of numbers in a pack that has the constants of a Calibration.
const Table = stance.Table

// predict returns the probability of the most probable side of a text, and whether the
// text is on it.
func predict(c Calibration, t Scored, classes int) Prediction {
	side := c.Side(t.Score, 0) // of two classes
	if classes == 2 {
		return Prediction{max(c.Two(t.Score), 1-c.Two(t.Score)), side == t.Side}
	}
	side = c.Side(t.Score, c.Threshold())
	pro, neither, con := c.Three(t.Score)
	return Prediction{map[Side]float64{For: pro, Neither: neither, Against: con}[side], side == t.Side}
}
