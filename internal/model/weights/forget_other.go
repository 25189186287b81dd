//go:build !unix

package weights

func (m *mapped) forget() {}
