#!/usr/bin/env bash
# A PostgreSQL timestamp of infinity is the number 1 in what a Go tool returns, and a uuid is sixteen numbers.
#
# Guess:   rows.Values() of pgx gives values that encoding/json writes as PostgreSQL would: text for a uuid, text or
#          null for infinity. A numeric, also a type of pgx, is written exactly.
# Happens: A uuid is a [16]byte, which JSON has as an array of numbers. infinity, where other rows of the same column
#          have a time, is an InfinityModifier, which is an int8: 1, or -1. Neither is an error.
# Package: Go modules github.com/jackc/pgx/v5 v5.13.0; npm @electric-sql/pglite 0.5.14, @electric-sql/pglite-socket
#          0.2.17
# Other:   github.com/jackc/pgx/v5 v5.12.0
# Seen:    2026-11-27
# Meets:   Tools that answer a query with its rows as JSON: "valid until infinity" becomes "valid until 1".

. "$(dirname "$0")/lib/finding.bash"

cat >main.go <<'END'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

func main() {
	ctx := context.Background()
	db, err := pgx.Connect(ctx, os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, value := range []string{
		"1.10::numeric",
		"timestamp '2026-01-02 03:04:05'",
		"timestamp 'infinity'",
		"uuid '00010203-0405-0607-0809-0a0b0c0d0e0f'",
	} {
		rows, err := db.Query(ctx, "SELECT "+value)
		if err != nil {
			panic(err)
		}
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				panic(err)
			}
			written, err := json.Marshal(values[0])
			fmt.Println(value, string(written), err)
		}
	}
}
END
go_build github.com/jackc/pgx/v5@v5.13.0
npm_install @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17

cat >finding.js <<'END'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const free = createServer().listen(0, '127.0.0.1')
await once(free, 'listening')
const { port } = free.address()
await new Promise(done => free.close(done))
await new PGLiteSocketServer({ db: await PGlite.create(), port, host: '127.0.0.1' }).start()
execFile('./main', [`postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`], (error, stdout) => {
	process.stdout.write(stdout)
	process.exit(error ? 1 : 0)
})
END
node finding.js >>seen || unable 'the query failed'

expect <<'END'
github.com/jackc/pgx/v5 v5.13.0
@electric-sql/pglite 0.5.14
@electric-sql/pglite-socket 0.2.17
1.10::numeric 1.10 <nil>
timestamp '2026-01-02 03:04:05' "2026-01-02T03:04:05Z" <nil>
timestamp 'infinity' 1 <nil>
uuid '00010203-0405-0607-0809-0a0b0c0d0e0f' [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15] <nil>
END
