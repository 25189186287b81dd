package trec

// The browser module has no judgements by subtopic, and no measures over them: see intents.go.

type (
	intents struct{}
	aspect  struct{}
)

func (*intents) of(string) []aspect { return nil }
func (*intents) finish()            {}

var (
	subtopicNames []irName
	subtopicKinds []*kind
)
