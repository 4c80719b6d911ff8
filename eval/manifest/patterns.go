package manifest

import (
	"regexp"
	"slices"
	"sync"

	"github.com/onestep-run/onestep/host/confine"
)

// patterns are a search of the source's text, as in common checkers of manifests. They
// match words in the names of functions for files, the network, the environment or
// processes.
var patterns = sync.OnceValue(func() map[confine.Permission]*regexp.Regexp {
	return map[confine.Permission]*regexp.Regexp{
		confine.FilesRead:     regexp.MustCompile(`(?i)read_?file|readdir|createReadStream|\bopen\(|read_text|listdir|os\.Open\b|WalkDir`),
		confine.FilesWrite:    regexp.MustCompile(`(?i)write_?file|createWriteStream|appendFile|mkdir|open\([^)]*['"][wa]|write_text|os\.Create|rename`),
		confine.FilesDelete:   regexp.MustCompile(`(?i)unlink|\brm(dir|Sync|tree)?\(|os\.remove|\.remove\(|rmtree`),
		confine.NetworkClient: regexp.MustCompile(`(?i)fetch\(|axios|https?\.(get|request)|urlopen|requests\.|httpx|aiohttp|\.connect\(|net\.Dial|http\.(Get|Post|Client)`),
		confine.NetworkServer: regexp.MustCompile(`(?i)\.listen\(|createServer|\.bind\(|ListenAndServe|net\.Listen|start_server`),
		confine.EnvRead:       regexp.MustCompile(`(?i)process\.env|os\.environ|getenv|LookupEnv|dotenv`),
		confine.Exec:          regexp.MustCompile(`(?i)child_process|\bexec\w*\(|spawn|subprocess|os\.system|popen|exec\.Command`),
	}
})

// enforced are the permissions that a scope can grant, in the vocabulary's order.
var enforced = []confine.Permission{
	confine.FilesRead, confine.FilesWrite, confine.FilesDelete, confine.NetworkClient, confine.NetworkServer, confine.EnvRead, confine.Exec,
}

// byPatterns returns the permissions with a matching pattern in a source.
func byPatterns(source []byte) []confine.Permission {
	return slices.DeleteFunc(slices.Clone(enforced), func(p confine.Permission) bool { return !patterns()[p].Match(source) })
}
