package manifest

import (
	"regexp"
	"slices"
	"sync"

	"github.com/onestep-run/onestep/host/confine"
)

// patterns are what a search of the text makes of a source, as checkers of
// manifests have them: a word that functions of files, of the network, of the
// environment or of processes have in their names.
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

// byPatterns are the permissions whose words a source has.
func byPatterns(source []byte) []confine.Permission {
	return slices.DeleteFunc(slices.Clone(enforced), func(p confine.Permission) bool { return !patterns()[p].Match(source) })
}
