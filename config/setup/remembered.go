package setup

import (
	"sync"

	"github.com/onestep-run/onestep/config"
)

// remembered asks a person for each input once, and for one at a time: a review
// reaches a server several times, and several servers at once.
func remembered(ask config.Asker) config.Asker {
	if ask == nil {
		return nil
	}
	var mu sync.Mutex
	asked := map[string]func() (string, error){}
	return func(i config.Input) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if asked[i.ID] == nil {
			asked[i.ID] = sync.OnceValues(func() (string, error) { return ask(i) })
		}
		return asked[i.ID]()
	}
}
