package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/vantage-search/vantage"
	"github.com/vantage-search/vantage/client"
	"github.com/vantage-search/vantage/internal/model"
	"github.com/vantage-search/vantage/internal/model/modeltest"
	"github.com/vantage-search/vantage/internal/server"
)

// serve stands for `vantage serve --model MODEL` with a small model of random weights.
func serve() (address string, stop func()) {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		log.Fatal(err)
	}
	if err := modeltest.Write(filepath.Join(dir, "small"), 1); err != nil {
		log.Fatal(err)
	}
	encoder, err := model.Open(context.Background(), filepath.Join(dir, "small"), model.Options{ID: "small", Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	s, err := server.New(encoder, server.Options{Limits: server.DefaultLimits(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	h := httptest.NewServer(s)
	return stream(h), func() {
		s.Close(context.Background())
		h.Close()
		encoder.Close()
		os.RemoveAll(dir)
	}
}

func Example() {
	address, stop := serve() // wss://encode.example.org/v1/stream
	defer stop()
	ctx := context.Background()
	c, err := client.Dial(ctx, address, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	answers, err := c.Encode(ctx, []string{"night trains", "\xff"}, client.EncodeOptions{Role: vantage.RoleQuery, DType: client.F16})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range answers {
		if fault, ok := errors.AsType[*client.Fault](a.Err); ok {
			fmt.Println(fault.Code == client.CodeInvalidText, fault.Message)
			continue
		}
		fmt.Println(len(a.Vector), "components")
	}
	// Output:
	// 32 components
	// true the text is not UTF-8
}

func ExampleClient_Encoder() {
	address, stop := serve()
	defer stop()
	ctx := context.Background()
	c, err := client.Dial(ctx, address, client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	reranker, err := vantage.NewReranker(ctx, c.Encoder(), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer reranker.Close()
	result, err := reranker.Rerank(ctx, vantage.Query{Query: vantage.Text{Text: "night trains"}}, []string{"night trains", "schools"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Encoder.ID, len(result.Hits))
	// Output:
	// small 2
}
