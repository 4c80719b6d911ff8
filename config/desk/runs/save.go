package runs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Folder is the folder for the attachments of a result. Its zero value saves nothing.
type Folder string

// Make makes the folder before the question is asked: an answer that cannot be saved is not
// worth a call.
func (d Folder) Make() error {
	if d == "" {
		return nil
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return verdict.Fail(verdict.UsageArgument, err, "--save %s: %v", d, errors.Unwrap(err))
	}
	return nil
}

// Save writes the attachments, and sets the path of each in the outcome. The server chooses
// no name and no path. The folder stays the opened one, even if another takes its place.
func (d Folder) Save(out *host.Outcome) error {
	if d == "" || len(out.Attachments) == 0 {
		return nil
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return unsaved(string(d), err)
	}
	defer func() { _ = root.Close() }() // it is not used for writing
	for i := range out.Attachments {
		a := &out.Attachments[i]
		if a.SHA256 == "" {
			continue // a link has no bytes, and is not followed
		}
		if err := write(root, fileName(a.Attachment), a.Data()); err != nil {
			return unsaved(filepath.Join(string(d), fileName(a.Attachment)), err)
		}
		a.Saved = filepath.Join(string(d), fileName(a.Attachment))
	}
	return nil
}

func unsaved(path string, err error) error {
	return verdict.Fail(verdict.OutputUnsaved, err, "%s was not written: %v", path, err)
}

// write makes a new file. An existing file with the same bytes is accepted, and left.
func write(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return same(root, name, data)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

var errOther = errors.New("a file of that name with other content exists")

func same(root *os.Root, name string, data []byte) error {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return errors.Join(errOther, err)
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	was, err := io.ReadAll(io.LimitReader(f, int64(len(data))+1))
	if err == nil && !bytes.Equal(was, data) {
		err = errOther
	}
	return err
}

// extensions are all extensions of saved files. The server's type only chooses among them. No
// browser and no shell runs a file with one of them.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp", "image/tiff": ".tiff",
	"audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/x-wav": ".wav", "audio/ogg": ".ogg", "audio/flac": ".flac", "audio/mp4": ".m4a",
	"application/pdf": ".pdf", "application/json": ".json",
}

func fileName(a gate.Attachment) string {
	kind, _, _ := strings.Cut(a.MIME, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	extension, known := extensions[kind]
	switch {
	case known:
	case strings.HasPrefix(kind, "text/"):
		extension = ".txt" // text/html too: the user did not ask for a page
	default:
		extension = ".bin"
	}
	return strings.TrimPrefix(a.SHA256, "sha256:") + extension
}
