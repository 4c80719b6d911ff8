#!/usr/bin/env bash
# A time that Go's pure SQLite driver stores cannot be read by SQLite.
#
# Guess:   A driver writes a time.Time in one of the formats that SQLite's date functions read, so datetime(at) and a
#          comparison in SQL work.
# Happens: modernc.org/sqlite stores what Time.String prints: "2026-01-02 03:04:05 +0100 CET", and for a clock reading
#          its monotonic part as well. datetime() of it is NULL, without an error. _time_format=sqlite in the name of
#          the data source mends what is written from then on.
# Package: Go modules modernc.org/sqlite v1.62.0
# Other:   modernc.org/sqlite v1.61.1
# Seen:    2026-11-27
# Meets:   Go programs without C that filter by time in SQL, or whose files are read by another program.

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	_ "modernc.org/sqlite"
)

func main() {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("CET", 3600))
	for _, name := range []string{":memory:", ":memory:?_time_format=sqlite"} {
		db, err := sql.Open("sqlite", name)
		if err != nil {
			panic(err)
		}
		db.SetMaxOpenConns(1)
		var text, clock string
		var read sql.NullString
		if _, err := db.Exec("CREATE TABLE run (at DATETIME, clock DATETIME)"); err != nil {
			panic(err)
		}
		if _, err := db.Exec("INSERT INTO run VALUES (?, ?)", at, time.Now()); err != nil {
			panic(err)
		}
		row := db.QueryRow("SELECT CAST(at AS TEXT), datetime(at), CAST(clock AS TEXT) FROM run")
		if err := row.Scan(&text, &read, &clock); err != nil {
			panic(err)
		}
		fmt.Printf("%s stores %q, datetime() is %q (null: %t), monotonic part stored: %t\n",
			name, text, read.String, !read.Valid, strings.Contains(clock, " m=+"))
	}
}
END
go_build modernc.org/sqlite@v1.62.0
./main >>seen

expect <<'END'
modernc.org/sqlite v1.62.0
:memory: stores "2026-01-02 03:04:05 +0100 CET", datetime() is "" (null: true), monotonic part stored: true
:memory:?_time_format=sqlite stores "2026-01-02 03:04:05+01:00", datetime() is "2026-01-02 02:04:05" (null: false), monotonic part stored: false
END
