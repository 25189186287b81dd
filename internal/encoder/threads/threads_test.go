package threads

import "testing"

// A panic reaches the caller, who can recover, after all goroutines have ended.
func TestPanicReachesTheCaller(t *testing.T) {
	ended := make(chan struct{})
	defer func() {
		if p := recover(); p != "broken" {
			t.Errorf("recovered %v", p)
		}
		select {
		case <-ended:
		default:
			t.Error("a goroutine still runs")
		}
	}()
	var g Group
	g.Go(func() { panic("broken") })
	g.Go(func() { close(ended) })
	g.Wait()
}
