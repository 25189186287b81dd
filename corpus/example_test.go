package corpus_test

import (
	"fmt"
	"log"

	"github.com/vantage-search/vantage/corpus"
)

func ExampleRead() {
	documents, err := corpus.Read("../examples/debates/corpus.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	for d, err := range documents {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(d.ID, d.Title, d.Metadata["stance"])
		break
	}
	// Output:
	// four-day-week-01 Four-day working week: Same output, fewer days support
}
