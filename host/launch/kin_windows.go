package launch

import (
	"errors"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// inherited are the variables that nearly every program needs. os/exec adds SystemRoot,
// without which no program starts.
var inherited = []string{"PATH", "PATHEXT", "TEMP", "USERPROFILE"}

// attributes start the server suspended, for adopt, and without a console.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP}
}

// kin is the server's job object. A process that a process of the job starts is in the
// job, and none can leave it. The system ends them all when the last handle of the job is
// closed, and so also when this program ends in any way.
type kin struct{ job windows.Handle }

// adopt puts the server into a new job, and lets it run only then. So the processes that
// it starts cannot be outside the job.
func (k *kin) adopt(p *os.Process) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		var assigned error
		err = p.WithHandle(func(handle uintptr) { assigned = windows.AssignProcessToJobObject(job, windows.Handle(handle)) })
		err = errors.Join(err, assigned)
	}
	if err == nil {
		err = resume(uint32(p.Pid))
	}
	if err != nil {
		return errors.Join(err, windows.CloseHandle(job))
	}
	k.job = job
	return nil
}

// resume resumes the one thread of a process that was started suspended.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(all) }()
	resumed := false
	t := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &t); err == nil; err = windows.Thread32Next(all, &t) {
		if t.OwnerProcessID != pid {
			continue
		}
		if err := resumeThread(t.ThreadID); err != nil {
			return err
		}
		resumed = true
	}
	if !resumed {
		return errors.New("the process that was started has no thread")
	}
	return nil
}

func resumeThread(id uint32) error {
	thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, id)
	if err != nil {
		return err
	}
	_, err = windows.ResumeThread(thread)
	return errors.Join(err, windows.CloseHandle(thread))
}

// look does nothing: the system tracks the processes of the job.
func (*kin) look(int) {}

// signal ends the job for SIGKILL. Other signals do nothing: a process without a console
// cannot be asked to end.
func (k *kin) signal(_ int, s syscall.Signal) {
	if s == syscall.SIGKILL {
		_ = windows.TerminateJobObject(k.job, 1)
	}
}

// kill ends the job, and waits until it is empty.
func (k *kin) kill(leader int) []int {
	defer func() { _ = windows.CloseHandle(k.job) }()
	for over := time.Now().Add(settle); ; time.Sleep(time.Millisecond) {
		err := windows.TerminateJobObject(k.job, 1)
		if err == nil && k.empty() {
			return nil
		}
		if time.Now().After(over) {
			return []int{leader}
		}
	}
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	_      [4]int64 // times
	_      [2]uint32
	active uint32
	_      uint32
}

func (k *kin) empty() bool {
	var a accounting
	err := windows.QueryInformationJobObject(k.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.active == 0
}

// keepDescriptors does nothing: a child gets only the three handles that os/exec lists
// for it.
func keepDescriptors() error { return nil }

// enterable leaves the check to the system.
func enterable(string) error { return nil }
