package confine

// Learning is the same policy for a server that is watched: it grants no file,
// no host and no command more. Two things that a policy ends early go on until
// the name of what is attempted is known. Every host name resolves, to an address
// that leads nowhere, so that a refused connection has its port; and processes
// can be made, which can execute the server's own program alone, so that a
// refused start has its path.
func (p *Policy) Learning() *Policy {
	learning := *p
	learning.learning = true
	return &learning
}
