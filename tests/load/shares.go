package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// caller is a client with its own address.
type caller struct{ *http.Client }

// callFrom returns a client whose connections come from an address of this machine.
func callFrom(address string) caller {
	dialer := &net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 0))}
	return caller{&http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 10}}}
}

// embed asks for the vectors of texts over HTTP.
func (c caller) embed(ctx context.Context, url string, texts []string) (status int, err error) {
	body, err := json.Marshal(map[string][]string{"input": texts})
	if err != nil {
		return 0, err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"v1/embeddings", strings.NewReader(string(body)))
	if err != nil {
		return 0, err
	}
	answer, err := c.Do(q)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

// shares has the outcomes for the texts of two clients.
type shares struct {
	greedy map[int]int // requests of the client with many texts, by status
	single map[int]int // of the client with a text at a time
	slow   time.Duration
}

// share lets one client send as many texts as it can on several connections, and a
// client with another address one text after the other.
func share(url string, connections, texts int, length time.Duration) (shares, error) {
	ctx, cancel := context.WithTimeout(context.Background(), length)
	defer cancel()
	s := shares{greedy: map[int]int{}, single: map[int]int{}}
	var all sync.WaitGroup
	var mu sync.Mutex
	greedy, modest := callFrom("127.0.0.1"), callFrom("127.0.0.2")
	for number := range connections {
		all.Go(func() {
			for round := 0; ctx.Err() == nil; round++ {
				list := make([]string, texts)
				for i := range list {
					list[i] = fmt.Sprintf("%d %d %d%s", number, round, i, strings.Repeat(" night", 20))
				}
				if status, err := greedy.embed(ctx, url, list); err == nil {
					mu.Lock()
					s.greedy[status]++
					mu.Unlock()
				}
			}
		})
	}
	defer all.Wait()
	defer cancel()
	time.Sleep(length / 5) // until the first client has filled its share
	for i := 0; ctx.Err() == nil; i++ {
		sent := time.Now()
		status, err := modest.embed(context.Background(), url, []string{fmt.Sprint("trains ", i)})
		if err != nil {
			return s, err
		}
		s.single[status]++
		s.slow = max(s.slow, time.Since(sent))
		time.Sleep(5 * time.Millisecond)
	}
	return s, nil
}
