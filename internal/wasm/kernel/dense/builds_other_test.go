//go:build !amd64

package dense

type build struct{ name string }

func (build) use() func() { return func() {} }

func builds() []build { return []build{{"plain"}} }
