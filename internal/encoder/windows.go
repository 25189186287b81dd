package encoder

// Windows divides a text that is longer than a model reads. sizes are the lengths of the
// text's units, such as words, in tokens; room is how many tokens a window may have. Each
// window [from, to) is the longest that fits, and begins in the middle of the one before
// it, so that what stands at the end of one is in the midst of the next. A unit that does
// not fit is a window of its own. A text that fits, even an empty one, is one window.
func Windows(sizes []int, room int) (windows [][2]int) {
	for from := 0; ; {
		to, held := from, 0
		for to < len(sizes) && (to == from || held+sizes[to] <= room) {
			held += sizes[to]
			to++
		}
		if n := len(windows); n == 0 || to > windows[n-1][1] { // otherwise the one before has all of it
			windows = append(windows, [2]int{from, to})
		}
		if to == len(sizes) {
			return windows
		}
		next, passed := from, 0
		for next < to && 2*passed < held {
			passed += sizes[next]
			next++
		}
		from = max(next, from+1)
	}
}
