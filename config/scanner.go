package config

import "time"

// The tables of a config.toml that have a name.
const (
	serverTable  = "server"
	scannerTable = "scanner"
)

// ScannerSettings are what a config.toml says of one scanner, under
// [scanner.NAME]: one of the first three, which says what it is.
type ScannerSettings struct {
	Command Value[string] // a program and its arguments, with spaces between
	URL     Value[string]
	Model   Value[string]        // PROVIDER/MODEL
	Timeout Value[time.Duration] // 0 is host.ScanLimit
}

var scannerRows = []row[ScannerSettings]{
	{key: "command", at: func(s *ScannerSettings) field { return anything(&s.Command) }},
	{key: "url", at: func(s *ScannerSettings) field { return address(&s.URL) }},
	{key: "model", at: func(s *ScannerSettings) field { return anything(&s.Model) }},
	{key: "timeout", at: func(s *ScannerSettings) field { return duration(&s.Timeout) }},
}
