package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Only what is the same in a file may go.
func TestProgramPartsAreAsTheirFileIs(t *testing.T) {
	t.Parallel()
	const rest = "Size: 8 kB\nRss: 8 kB\nAnonymous:             0 kB\nVmFlags: rd mr mw me\n"
	smaps := strings.Join([]string{
		"00400000-01288000 r-xp 00000000 fe:00 9986485    /usr/bin/ask\n" + rest,
		"01288000-0207c000 r--p 00e88000 fe:00 9986485    /usr/bin/ask (deleted)\n" + rest,
		"02100000-02101000 r--p 00e88000 fe:00 9986485    /usr/bin/relocated\n" + strings.ReplaceAll(rest, "0 kB\nV", "4 kB\nV"),
		"0207c000-02152000 rw-p 01c7c000 fe:00 9986485    /usr/bin/ask\n" + rest,
		"02152000-041a1000 rw-p 00000000 00:00 0\n" + rest,
		"3773cc000000-3773cf000000 ---p 00000000 00:00 0\n" + rest,
		"7f0000000000-7f0000008000 rw-s 00000000 fe:00 77 /home/u/state.db-shm\n" + rest,
		"7ffd00000000-7ffd00002000 r-xp 00000000 00:00 0  [vdso]\n" + rest,
	}, "")
	want := []part{{0x400000, 0x1288000}, {0x1288000, 0x207c000}}
	if got := programParts([]byte(smaps)); !slices.Equal(got, want) {
		t.Errorf("the parts are %x, want %x", got, want)
	}
	if got := programParts([]byte("no such list\n-\nAnonymous: 0 kB\n")); got != nil {
		t.Errorf("another text has the parts %x", got)
	}
}

// The program goes on without its pages: they are in its file.
func TestAProgramGivesMemoryBackAndGoesOn(t *testing.T) {
	t.Parallel()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil || len(programParts(smaps)) == 0 {
		t.Errorf("no part of this program can be given back: %v", err)
	}
	giveBack()
	if got := strings.ToUpper("goes on"); got != "GOES ON" {
		t.Error(got)
	}
}
