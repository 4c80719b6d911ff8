package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// filled is a closed database with a row of everything.
func filled(t *testing.T) string {
	t.Helper()
	s, path := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved), decision(kb, "put", store.Approved), decision(kb, "get", store.Rejected))
	decide(t, s, 0, decision(desk, "get", store.Approved))
	keep(t, s, withheld("run1", when))
	shown := waits("run1")
	shown.Request = "{}"
	err := errors.Join(
		s.Ask(t.Context(), shown),
		s.ChangeSeen(t.Context(), kb, func([]store.Seen) []store.Seen {
			return []store.Seen{{Tool: "new", Code: "pin.unapproved", Why: "w", Raw: []byte("{}")}}
		}),
		s.NoteHealth(t.Context(), kb, ""),
		s.Grant(t.Context(), granted("g1")),
		s.Redeem(t.Context(), grant.Redemption{Marks: []grant.Mark{{Conversation: "c1", Name: grant.Exposed, Run: "run1", At: when}}}),
		s.Close())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// reads are all the ways to read what decides, by name.
func reads(ctx context.Context, s *store.Store) map[string]func() (any, error) {
	return map[string]func() (any, error){
		"all":       func() (any, error) { return s.All(ctx) },
		"decisions": func() (any, error) { return s.Decisions(ctx, kb) },
		"seen":      func() (any, error) { return s.Seen(ctx, kb) },
		"all kept":  func() (any, error) { return s.AllKept(ctx) },
		"kept":      func() (any, error) { return s.Kept(ctx, "run1") },
		"waiting":   func() (any, error) { return s.Waiting(ctx) },
		"approval":  func() (any, error) { return s.Approval(ctx, "run1") },
		"same call": func() (any, error) { return s.SameCall(ctx, "sha256:key") },
		"known":     func() (any, error) { return s.Known(ctx, keyOf(granted("g1"))) },
		"request":   func() (any, error) { return s.Request(ctx, "run1", "sha256:run1") },
		"grants":    func() (any, error) { return s.Grants(ctx) },
		"marks":     func() (any, error) { return s.Marks(ctx) },
	}
}

// everything reads every row there is.
func everything(ctx context.Context, path string) (string, error) {
	s := store.Of(path, clock)
	defer s.Close()
	all := map[string]any{}
	for name, read := range reads(ctx, s) {
		v, err := read()
		if err != nil {
			return "", err
		}
		all[name] = v
	}
	return fmt.Sprintf("%q", fmt.Sprint(all)), nil
}

// raw runs statements on the database behind the store's back.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// copied is a database of its own with the same bytes.
func copied(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func columns(t *testing.T, path string) (all [][2]string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name IN ('content', 'place', 'decision', 'seen', 'kept', 'approval', 'granted', 'conversation', 'request')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var c [2]string
		if err := rows.Scan(&c[0], &c[1]); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if rows.Err() != nil || len(all) < 30 {
		t.Fatalf("%q, %v", all, rows.Err())
	}
	return all
}

func TestARowThatWasAlteredIsAnErrorAndNoRow(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	whole := read(t, path)
	want, err := everything(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range columns(t, path) {
		t.Run(c[0]+"."+c[1], func(t *testing.T) {
			t.Parallel()
			path := copied(t, whole)
			raw(t, path, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = CASE typeof(%[2]s) WHEN 'integer' THEN %[2]s + 1000 ELSE CAST(%[2]s || 'x' AS BLOB) END
				WHERE rowid = (SELECT min(rowid) FROM %[1]s)`, c[0], c[1]))
			got, err := everything(t.Context(), path)
			moved := c[0] == "seen" && slices.Contains([]string{"entry", "credential"}, c[1])
			if moved && (err != nil || got == want) || !moved && err == nil {
				t.Errorf("it was read as %.200s, %v", got, err)
			}
		})
	}
}

func TestADecisionThatIsMissingOrForgedIsAnError(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	whole := read(t, path)
	forged := `INSERT INTO decision SELECT %d, entry, credential, server, tool, CAST('approved' AS BLOB), reviewed, meaning, raw, instructions, review, effect, decided_by, how, at, sum FROM decision WHERE seq = 1`
	for name, statement := range map[string]string{
		"the first":             `DELETE FROM decision WHERE seq = 1`,
		"the middle":            `DELETE FROM decision WHERE seq = 2`,
		"the last, a rejection": `DELETE FROM decision WHERE seq = 3`,
		"all of a place":        `DELETE FROM decision WHERE seq < 4`,
		"the index's last":      `DELETE FROM decision WHERE entry = CAST('sha256:kb' AS BLOB) AND seq > 2`,
		"what it is about":      `DELETE FROM content`,
		"one more":              fmt.Sprintf(forged, 9),
		"one before":            fmt.Sprintf(forged, 0),
		"in another order":      `UPDATE decision SET seq = CASE seq WHEN 1 THEN 8 WHEN 2 THEN 1 ELSE seq END WHERE seq < 3`,
		"taken for another's":   `UPDATE decision SET entry = CAST('sha256:desk' AS BLOB), credential = x'' WHERE seq = 3`,
	} {
		path := copied(t, whole)
		raw(t, path, statement)
		s := store.At(path, clock)
		if all, err := s.Decisions(t.Context(), kb); verdict.CodeOf(err) != verdict.StateUnreadable || all != nil {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
		if all, err := s.All(t.Context()); verdict.CodeOf(err) != verdict.StateUnreadable || all != nil {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	// Without its place nothing of it counts.
	path = copied(t, whole)
	raw(t, path, `DELETE FROM place WHERE entry = CAST('sha256:kb' AS BLOB)`)
	if all := decisions(t, opened(t, path), kb); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

func TestAFileThatIsCutOffApprovesNothing(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	original := filled(t)
	whole := read(t, original)
	want, err := everything(t.Context(), original)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + len(whole)/97 {
		path := copied(t, whole[:n])
		got, err := everything(t.Context(), path)
		if err == nil && got == want { // of the last page, which nothing is on
			continue
		}
		if err == nil || n > 0 && !slices.Contains([]verdict.Code{verdict.StateUnreadable, verdict.StateMissing}, verdict.CodeOf(err)) {
			t.Errorf("%d of %d bytes: %s, %v", n, len(whole), got, err)
		}
		// A last page that no decision is on may be gone.
		if all, err := store.At(path, clock).All(t.Context()); len(all) != 0 && len(all) != 4 || err != nil && all != nil {
			t.Errorf("%d of %d bytes: %d decisions, %v", n, len(whole), len(all), err)
		}
	}
}

// A byte of the file changes, and each read alone, of a database that was just opened,
// gives the right answer or an error.
func TestAByteThatChangedChangesNoAnswer(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	whole := read(t, path)
	want := map[string]string{}
	for name, read := range reads(t.Context(), opened(t, path)) {
		v, err := read()
		must(t, err)
		want[name] = fmt.Sprint(v)
	}
	path = copied(t, whole)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	every := 13 // all of them take a minute
	for n, at := 0, 0; at < len(whole); at++ {
		b := whole[at]
		if b == 0 && at%997 > 0 { // nothing is there
			continue
		}
		if n++; n%every > 0 {
			continue
		}
		_, err := f.WriteAt([]byte{b ^ 0x15}, int64(at))
		must(t, err)
		s := store.AtReading(path, clock)
		for name, read := range reads(t.Context(), s) {
			s.Unchecked()
			got, err := read()
			if is := fmt.Sprint(got); err == nil && is != want[name] {
				t.Errorf("byte %d: %s: %s", at, name, cmp.Diff(want[name], is))
			}
		}
		_ = s.Close()
		_, err = f.WriteAt([]byte{b}, int64(at))
		must(t, err)
	}
}

func TestADatabaseThatIsGoneApprovesNothing(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	log := read(t, path+"-wal") // all of it is there, and not in the database yet
	if err := errors.Join(s.Close(), os.Remove(path), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	if all := decisions(t, opened(t, path), kb); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

func TestWhatIsNotThisProgramsIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	other := filepath.Join(t.TempDir(), "other.db")
	raw(t, other, `CREATE TABLE bookmarks (url TEXT)`)
	for name, c := range map[string]struct {
		content []byte
		code    verdict.Code
	}{
		"another program's database": {read(t, other), verdict.StateUnreadable},
		"a text":                     {[]byte("servers = '/etc'\n"), verdict.StateUnreadable},
		"zeros":                      {make([]byte, 8192), verdict.StateUnreadable},
	} {
		path := copied(t, c.content)
		if _, err := store.OpenAt(t.Context(), path, clock); verdict.CodeOf(err) != c.code || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Equal(read(t, path), c.content) {
			t.Errorf("%s was changed", name)
		}
	}
}

func TestAPathMayHoldWhatAURLMayNot(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filepath.Join(t.TempDir(), "a b?mode=memory#%41&vfs=x", "söme:state.db")
	s := opened(t, path)
	decide(t, s, 0, decision(pin.Place{Entry: "e"}, "get", store.Approved))
	if info, err := os.Lstat(path); err != nil || info.Size() == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
