package confine

// Learning returns the same policy for a server that is watched. It grants no more files,
// hosts or commands. Two things that a policy ends early continue until the name of the
// attempted resource is known. Every host name resolves, to an address that leads
// nowhere, so that a refused connection has its port. Processes can be made, but can
// execute only the server's own program, so that a refused start has its path.
func (p *Policy) Learning() *Policy {
	learning := *p
	learning.learning = true
	return &learning
}
