package trec

// The browser module has no room for all measures: see native.go.

const ndcgKeys = dcgKey + ", judged_only (True or False)"

var (
	nativeNames []irName
	nativeKinds []*kind
)

func (*Measure) regrade(_ *irName, list string) (string, error)     { return list, nil }
func (*Measure) checkSettings(*settings) error                      { return nil }
func (*settings) setMore(_ *irName, _, _ string) (good, known bool) { return false, false }
func (*Judged) regrade(map[int32]int32)                             {}
