package confine

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

func backgroundContext() context.Context { return context.Background() }

func inet4(address string) *unix.SockaddrInet4 {
	ap := netip.MustParseAddrPort(address)
	return &unix.SockaddrInet4{Port: int(ap.Port()), Addr: ap.Addr().As4()}
}

func dialNow(address string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Connect(fd, inet4(address))
}

func sendUDP(address string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(fd, []byte("x"), 0, inet4(address))
}

func fastOpened(address string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, inet4(address))
}

// get reads a page over HTTP and fails unless it is "hello".
func get(url string) error {
	client := http.Client{}
	r, err := client.Get(url)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err == nil && string(b) != "hello" {
		err = errors.New(string(b))
	}
	return err
}

// flip connects to an address that another thread changes all the time between a granted
// and a forbidden port. It reports the number of connections made.
func flip(granted, forbidden string, times int) error {
	sa := make([]byte, 16)
	binary.NativeEndian.PutUint16(sa, unix.AF_INET)
	good, bad := netip.MustParseAddrPort(granted), netip.MustParseAddrPort(forbidden)
	ip := good.Addr().As4()
	copy(sa[4:], ip[:])
	word := (*uint32)(unsafe.Pointer(&sa[0])) // family and port together
	var values [2]uint32
	for i, ap := range []netip.AddrPort{good, bad} {
		binary.BigEndian.PutUint16(sa[2:], ap.Port())
		values[i] = *word
	}
	var over atomic.Bool
	go func() {
		runtime.LockOSThread()
		for i := 0; !over.Load(); i++ {
			atomic.StoreUint32(word, values[i&1])
		}
	}()
	through := 0
	for range times {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		_, _, e := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&sa[0])), 16)
		if e == 0 {
			through++
		}
		_ = unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
		_ = unix.Close(fd)
	}
	over.Store(true)
	return errors.New(strconv.Itoa(through))
}
