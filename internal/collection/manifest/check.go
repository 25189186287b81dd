package manifest

import (
	"fmt"
	"math"
)

// check refuses a manifest whose parts contradict each other.
func (m *Manifest) check() error {
	switch {
	case m.Format != Format:
		return ErrNotCollection
	case m.Version < 1 || m.Version > Version:
		return invalid("version", "%d, known are 1 to %d", m.Version, Version)
	case m.Documents < 0 || m.Documents > MaxRows:
		return invalid("documents", "%d, must be 0 to %d", m.Documents, MaxRows)
	case m.Rows != m.Documents:
		return invalid("rows", "%d rows for %d documents, must be equal", m.Rows, m.Documents)
	case m.Dim < 1 || m.Dim > MaxDim:
		return invalid("dim", "%d, must be 1 to %d", m.Dim, MaxDim)
	case elementBytes(m.DType) == 0:
		return invalid("dtype", `%q, must be "I8", "F16" or "F32"`, m.DType)
	case m.Score != "" && m.Score != ScoreCosine && m.Score != ScoreDot && m.Score != ScoreMaxSim:
		return invalid("score", "%.64q, must be %q, %q or %q: upgrade if the collection is newer than this program", m.Score, ScoreCosine, ScoreDot, ScoreMaxSim)
	case len(m.Generator) > MaxNameBytes:
		return invalid("generator", "longer than %d bytes", MaxNameBytes)
	case len(m.Name) > MaxNameBytes:
		return invalid("name", "longer than %d bytes", MaxNameBytes)
	case !(m.Close >= 0 && m.Close <= 1):
		return invalid("close", "%g, must be between 0 and 1", m.Close)
	}
	if err := m.checkAuto(); err != nil {
		return err
	}
	if err := m.checkModel("model", &m.Model); err != nil {
		return err
	}
	if err := m.checkCanaries("canaries", m.Canaries); err != nil {
		return err
	}
	if err := m.checkQueries(); err != nil {
		return err
	}
	files := fileSet{}
	if err := m.checkEncoder(files); err != nil {
		return err
	}
	if m.Reader != nil {
		if err := m.Reader.check("reader", files); err != nil {
			return err
		}
	}
	if err := m.checkRows("vectors", m.Vectors, m.Dim, files); err != nil {
		return err
	}
	if err := m.checkAngles(files); err != nil {
		return err
	}
	if err := m.checkTokens(files); err != nil {
		return err
	}
	if err := m.checkDocs(files); err != nil {
		return err
	}
	if err := m.checkColumns(files); err != nil {
		return err
	}
	if err := m.checkTerms(files); err != nil {
		return err
	}
	return m.checkMemory(files)
}

// checkAuto leaves the words of the lines to the engine, which names a bad one.
func (m *Manifest) checkAuto() error {
	a := m.Auto
	switch {
	case a == nil:
		return nil
	case len(a.Table) < 1 || len(a.Table) > MaxAutoLines:
		return invalid("auto.table", "%d lines, must be 1 to %d", len(a.Table), MaxAutoLines)
	case a.ChosenOn < 0 || a.ChosenOn > MaxRows:
		return invalid("auto.chosen_on", "%d, must be 0 to %d", a.ChosenOn, MaxRows)
	case a.MeasuredOn < 0 || a.MeasuredOn > MaxRows:
		return invalid("auto.measured_on", "%d, must be 0 to %d", a.MeasuredOn, MaxRows)
	case !(a.Before >= 0 && a.Before <= 1):
		return invalid("auto.before", "%g, must be between 0 and 1", a.Before)
	case !(a.After >= 0 && a.After <= 1):
		return invalid("auto.after", "%g, must be between 0 and 1", a.After)
	}
	for i, line := range a.Table {
		if line == "" || len(line) > MaxAutoLine {
			return invalid(fmt.Sprintf("auto.table[%d]", i), "must have 1 to %d bytes", MaxAutoLine)
		}
	}
	return nil
}

func elementBytes(dtype string) int64 {
	switch dtype {
	case "I8":
		return 1
	case "F16":
		return 2
	case "F32":
		return 4
	}
	return 0
}

func (m *Manifest) checkModel(field string, model *Model) error {
	switch {
	case model.ID == "" || len(model.ID) > MaxNameBytes:
		return invalid(field+".id", "must have 1 to %d bytes", MaxNameBytes)
	case len(model.Revision) > MaxNameBytes:
		return invalid(field+".revision", "longer than %d bytes", MaxNameBytes)
	case len(model.Architecture) > MaxNameBytes:
		return invalid(field+".architecture", "longer than %d bytes", MaxNameBytes)
	case model.Kind != KindStatic && model.Kind != KindPack && model.Kind != KindExternal:
		return invalid(field+".kind", "%q, must be %q, %q or %q", model.Kind, KindStatic, KindPack, KindExternal)
	case model.Dim != m.Dim:
		return invalid(field+".dim", "%d, the collection's rows have %d", model.Dim, m.Dim)
	case model.MaxLength < 0:
		return invalid(field+".max_length", "%d is negative", model.MaxLength)
	}
	return nil
}

func (m *Manifest) checkQueries() error {
	if m.QueryModel == nil {
		if len(m.QueryCanaries) > 0 {
			return invalid("query_canaries", "without a query_model")
		}
		return nil
	}
	if m.Encoder != nil {
		return invalid("query_model", "beside the encoder that the collection carries")
	}
	if m.QueryModel.Kind == KindPack {
		return invalid("query_model.kind", "%q, but the collection carries no pack", KindPack)
	}
	if err := m.checkModel("query_model", m.QueryModel); err != nil {
		return err
	}
	return m.checkCanaries("query_canaries", m.QueryCanaries)
}

func (m *Manifest) checkCanaries(list string, canaries []Canary) error {
	if len(canaries) > MaxCanaries {
		return invalid(list, "%d of them, at most %d", len(canaries), MaxCanaries)
	}
	for i, c := range canaries {
		field := fmt.Sprintf("%s[%d]", list, i)
		if c.Text == "" || len(c.Text) > MaxCanaryBytes {
			return invalid(field+".text", "must have 1 to %d bytes", MaxCanaryBytes)
		}
		if len(c.Vector) != m.Dim {
			return invalid(field+".vector", "%d numbers, the collection's rows have %d", len(c.Vector), m.Dim)
		}
		for j, v := range c.Vector {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return invalid(field+".vector", "element %d is not finite", j)
			}
		}
	}
	return nil
}
