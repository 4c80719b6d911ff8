// Package talk keeps what clients' hooks report of a conversation: messages, and which call
// belongs to it. Behind a wrap it joins a call to its conversation and traces its arguments.
//
// Each row is sealed under a key in the same directory, which is the user's alone, and bound to
// its conversation. Rows are kept for a day. The package does not vouch that a row is true: any
// program of the user can start the hook. No decision allows anything by a row.
//
// cmd/ask writes rows from hooks; host/proxy reads them at a call.
package talk

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/disk"
	"github.com/onestep-run/onestep/host/seal"
)

// Lifetime is how long rows are kept.
const Lifetime = 24 * time.Hour

// joinable is how long a call's row joins by its arguments.
const joinable = time.Hour

// Bounds of one row and of a conversation's file.
const (
	maxRow  = 1 << 20
	maxFile = 16 << 20
)

var (
	rowLimits = schema.Limits{Bytes: maxRow, Depth: 8, Values: 1000, Exponent: 9, Digits: 20}
	boxLimits = schema.Limits{Bytes: 2 * maxRow, Depth: 2, Values: 10, Exponent: 9, Digits: 20}
)

// Store keeps rows in a directory. Its zero value keeps nothing.
type Store struct {
	Dir string
	Now func() time.Time
}

// Row is one report of a hook, or the result of a call.
type Row struct {
	At      int64  `json:"at"` // Unix seconds
	Session string `json:"session"`
	Text    string `json:"text,omitempty"` // a message, or the text of a result
	How     string `json:"how,omitempty"`  // "" is a result
	Run     string `json:"run,omitempty"`
	Server  string `json:"server,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Open    bool   `json:"open,omitempty"`
}

// Session names a conversation of a client. It is "" if either is missing.
func Session(client, id string) string {
	if client == "" || id == "" {
		return ""
	}
	return client + "\n" + id
}

// Add adds a message or a result to its conversation.
func (s Store) Add(ctx context.Context, r Row) error { return s.append(ctx, "talk\n"+r.Session, r) }

// Called notes that a call with one of these ids, or these arguments, belongs to a conversation.
func (s Store) Called(ctx context.Context, session, id, tool string, args []byte) error {
	r := Row{Session: session, Tool: tool}
	err := s.append(ctx, byArguments(args), r)
	if id != "" {
		err = errors.Join(err, s.append(ctx, "id\n"+id, r))
	}
	return err
}

func byArguments(args []byte) string {
	if canonical, err := schema.Canonical(args); err == nil {
		args = canonical
	}
	sum := sha256.Sum256(args)
	return "arguments\n" + hex.EncodeToString(sum[:])
}

// Find is the conversation of a call, by its ids or else its arguments. It is "" if none fits, and
// if two do.
func (s Store) Find(ids []string, tool string, args []byte) string {
	for _, id := range ids {
		if session, some := s.only("id\n"+id, tool, Lifetime); some {
			return session
		}
	}
	session, _ := s.only(byArguments(args), tool, joinable)
	return session
}

// only is the one conversation in the rows of a join; some says that there are rows.
func (s Store) only(join, tool string, within time.Duration) (session string, some bool) {
	rows, _ := s.rows(join)
	since := s.Now().Add(-within).Unix()
	for _, r := range rows {
		switch {
		case r.At < since || !strings.HasSuffix(r.Tool, tool):
		case some && r.Session != session:
			return "", true
		default:
			session, some = r.Session, true
		}
	}
	return session, some
}

// Rows are the rows of a conversation that are not too old.
func (s Store) Rows(session string) ([]Row, error) {
	rows, err := s.rows("talk\n" + session)
	since := s.Now().Add(-Lifetime).Unix()
	return slices.DeleteFunc(rows, func(r Row) bool { return r.At < since || r.Session != session }), err
}

func (s Store) append(ctx context.Context, name string, r Row) error {
	if s.Dir == "" || r.Session == "" {
		return errors.New("there is no conversation, or no directory to keep it in")
	}
	key, err := s.key(ctx, true)
	if err != nil {
		return err
	}
	r.At = s.Now().Unix()
	text, err := json.Marshal(r)
	if err != nil || len(text) > maxRow {
		return errors.Join(err, errors.New("the row is too long"))
	}
	keys, err := seal.Read(string(key))
	if err != nil {
		return err
	}
	file := nameOf(key, name)
	box, err := keys.Seal(thing(file), text)
	if err != nil {
		return err
	}
	line, err := json.Marshal(box)
	if err != nil {
		return err
	}
	return s.write(ctx, file, append(line, '\n'))
}

// write adds a line to a file.
func (s Store) write(ctx context.Context, file string, line []byte) error {
	lock, err := disk.Lock(ctx, filepath.Join(s.Dir, rowsLock), false)
	if err != nil {
		return err
	}
	defer lock.Close()
	f, err := os.OpenFile(filepath.Join(s.Dir, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if info, lost := f.Stat(); lost == nil && info.Size()+int64(len(line)) > maxFile {
		return errors.Join(errors.New("the conversation is too long"), f.Close())
	}
	_, err = f.Write(line) // one write: rows of two hooks do not mix
	return errors.Join(err, f.Close())
}

// thing binds a row to its file.
func thing(file string) seal.Thing { return seal.Thing{Kind: "talk", Name: file} }

// nameOf is the file of a conversation or a join. It does not show the name.
func nameOf(key []byte, name string) string {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(name)) // it never fails
	return hex.EncodeToString(mac.Sum(nil)[:16]) + ".rows"
}

// rows are the rows of a file. A row that does not open under the key is left out: another program
// wrote it, or the end of the file was cut off.
func (s Store) rows(name string) (all []Row, err error) {
	key, err := s.key(context.Background(), false)
	if s.Dir == "" || err != nil {
		return nil, err
	}
	keys, err := seal.Read(string(key))
	if err != nil {
		return nil, err
	}
	err = open(filepath.Join(s.Dir, nameOf(key, name)), keys, func(_ []byte, r *Row) {
		if r != nil {
			all = append(all, *r)
		}
	})
	return all, err
}

// open gives each line of a file, and its row, nil if it does not open.
func open(path string, keys seal.Keys, see func(line []byte, r *Row)) error {
	b, err := disk.ReadFile(path, maxFile+maxRow)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 2*maxRow)
	for lines.Scan() {
		see(lines.Bytes(), opened(filepath.Base(path), keys, lines.Bytes()))
	}
	return nil
}

func opened(file string, keys seal.Keys, line []byte) *Row {
	var box seal.Box
	if schema.Decode(line, &box, boxLimits) != nil {
		return nil
	}
	var r Row
	text, err := keys.Open(thing(file), box)
	if err != nil || schema.Decode(text, &r, rowLimits) != nil {
		return nil
	}
	return &r
}

const (
	keyFile = "key"
	maxKey  = 256
)

// key reads the key, and makes one under a lock if create is set and none exists.
func (s Store) key(ctx context.Context, create bool) ([]byte, error) {
	path := filepath.Join(s.Dir, keyFile)
	b, err := disk.ReadFile(path, maxKey)
	if !create || !errors.Is(err, fs.ErrNotExist) {
		return b, err
	}
	if err := disk.MakeDir(s.Dir, disk.SyncDir); err != nil {
		return nil, err
	}
	lock, err := disk.Lock(ctx, path+".lock", true)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if b, err = disk.ReadFile(path, maxKey); !errors.Is(err, fs.ErrNotExist) {
		return b, err
	}
	b = []byte(seal.NewKey())
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return nil, err
	}
	return b, os.Rename(path+".new", path)
}
