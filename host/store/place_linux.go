package store

import (
	"slices"

	"golang.org/x/sys/unix"
)

// remote are file systems of the network, and unknown ones behind FUSE and 9P, by their
// numbers in statfs(2). SQLite's write-ahead log needs memory that all its processes share,
// and none of these promises that.
var remote = []uint32{
	unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC,
	unix.CODA_SUPER_MAGIC, unix.NCP_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC,
	0x01161970, // GFS2
	0x0bd00bd0, // Lustre
	0x47504653, // GPFS
	0x19830326, // BeeGFS
	0x20030528, // OrangeFS
	0x786f4256, // vboxsf
	0xbacbacbc, // vmhgfs
}

// local refuses a folder that may be on another machine.
func local(dir string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return err
	}
	if networked(int64(s.Type)) { //nolint:unconvert // 32 bits wide on other machines
		return elsewhere(dir)
	}
	return nil
}

// networked reports whether a file system is remote. The numbers have 32 bits, with a sign on
// 32-bit systems.
func networked(number int64) bool { return slices.Contains(remote, uint32(number)) }
