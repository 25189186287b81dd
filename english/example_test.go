package english_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/english"
)

func ExampleEncoder() {
	encoder := english.Encoder()
	encoded, err := encoder.Encode(context.Background(), []string{"night trains", "Nachtzüge"}, vantage.RoleDocument)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(encoder.Model().ID, encoder.Model().Language, len(encoded[0].Vector))
	for _, e := range encoded {
		fmt.Println(e.Tokens, "tokens,", e.Unknown, "unknown")
	}
	// Output:
	// vantage-static-en en 256
	// 2 tokens, 0 unknown
	// 4 tokens, 0 unknown
}
