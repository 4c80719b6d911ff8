package session

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// unpacked is a body whose bytes are what the limits are about: what a packed
// one holds, not what came. It is unpacked as it is read, so that a small body
// which holds gigabytes costs no more than the limit.
func unpacked(res *http.Response) (io.ReadCloser, error) {
	switch coding := strings.ToLower(strings.Join(res.Header.Values("Content-Encoding"), ", ")); coding {
	case "", "identity":
		return res.Body, nil
	case "gzip", "x-gzip":
		res.Header.Del("Content-Encoding")
		res.Header.Del("Content-Length")
		res.ContentLength = -1
		return &packed{ReadCloser: res.Body}, nil
	default:
		_ = res.Body.Close()
		return nil, fmt.Errorf("its body has the Content-Encoding %.64q, which nobody asked for", coding)
	}
}

// packed is a body in gzip. Its head is not there yet when a stream begins.
type packed struct {
	io.ReadCloser
	unpack *gzip.Reader
	failed error
}

func (p *packed) Read(b []byte) (int, error) {
	if p.unpack == nil && p.failed == nil {
		p.unpack, p.failed = gzip.NewReader(p.ReadCloser)
	}
	if p.failed != nil {
		return 0, p.failed
	}
	return p.unpack.Read(b)
}
