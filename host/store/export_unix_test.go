//go:build unix

package store

var OwnFile = ownFile
