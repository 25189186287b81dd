package packs_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/packs"
)

func ExampleOpen() {
	files := os.DirFS("../sides/pack") // or sides.Files(), or a folder of `vantage model pack`
	encoder, err := packs.Open(files)
	if err != nil {
		log.Fatal(err)
	}
	encoded, err := encoder.Encode(context.Background(), []string{"night trains"}, vantage.RoleDocument)
	if err != nil {
		log.Fatal(err)
	}
	m := encoder.Model()
	fmt.Println(m.ID, m.Kind, m.Architecture, m.MaxLength, "tokens at most")
	fmt.Println(len(encoded[0].Vector), "components")
	// Output:
	// vantage-sides pack bert 256 tokens at most
	// 384 components
}
