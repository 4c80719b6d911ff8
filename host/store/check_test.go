package store_test

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Nothing else fails where one of these is left out: a power cut, or a statement
// of another program in the schema, would be needed.
func TestTheConnectionHasItsSettings(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, _ := fresh(t)
	want := map[string]string{
		"synchronous": "2", "journal_mode": "wal", "busy_timeout": "5000", "foreign_keys": "1", "trusted_schema": "0", "cell_size_check": "1", "secure_delete": "1",
	}
	names := make([]string, 0, len(want))
	for name := range want {
		names = append(names, name)
	}
	got, err := s.Settings(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Defensive: no statement writes the schema, whatever it turns on first.
func TestNoStatementWritesTheSchema(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, _ := fresh(t)
	if err := s.Run(t.Context(), `PRAGMA writable_schema = ON`); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), `UPDATE sqlite_master SET sql = sql`); err == nil || !strings.Contains(err.Error(), "may not be modified") {
		t.Errorf("the schema was written: %v", err)
	}
	if err := s.Run(t.Context(), `SELECT "no such name" FROM place`); err == nil {
		t.Error("a name that is missing is a text")
	}
}

func checked(t *testing.T, path string) error {
	t.Helper()
	return opened(t, path).Check(t.Context())
}

func TestCheckReadsEveryRowThatHasASum(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	whole := read(t, path)
	if err := checked(t, path); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`UPDATE decision SET decided_by = 'eve' WHERE seq = 1`,
		`DELETE FROM decision WHERE seq = 3`,
		`UPDATE content SET bytes = 'x'`,
		`UPDATE kept SET tool = 'other'`,
		`UPDATE approval SET digest = 'other'`,
		`UPDATE granted SET until = until + 1`,
		`UPDATE conversation SET at = at + 1`,
	} {
		path := copied(t, whole)
		raw(t, path, statement)
		if err := checked(t, path); verdict.CodeOf(err) != verdict.StateUnreadable {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// An index that no row's sum covers: the rows are whole, and SQLite finds that
// the index does not hold them.
func TestCheckHasSQLiteCheckTheFile(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filled(t)
	misspell(t, path, "sqlite_autoindex_health_1", "sha256:kb")
	if _, err := everything(t.Context(), path); err != nil {
		t.Fatalf("a row is not whole: %v", err)
	}
	if err := checked(t, path); verdict.CodeOf(err) != verdict.StateUnreadable {
		t.Errorf("the index was not checked: %v", err)
	}
}

// misspell changes the first letter of a key in an index, behind the store's back.
func misspell(t *testing.T, path, index, key string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	var root, size int64
	err = db.QueryRow(`SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = $1`, index).Scan(&root, &size)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b := read(t, path)
	at := strings.Index(string(b[(root-1)*size:root*size]), key)
	if at < 0 {
		t.Fatal("the index holds no such key")
	}
	b[(root-1)*size+int64(at)] = 'S'
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
