15064 1796061376.532872 newfstatat(AT_FDCWD, "/data/web/.htaccess.9", 0x7ffdf3c4b2d0, 0) = -1 ENOENT (No such file or directory)
15064 1796061376.532920 close(777)      = -1 EBADF (Bad file descriptor)
15064 1796061376.532962 close(777)      = -1 EBADF (Bad file descriptor)
15064 1796061376.533003 close(777)      = -1 EBADF (Bad file descriptor)
15064 1796061376.533045 ioctl(3, TCGETS, 0x7ffdf3c4b290) = -1 ENOTTY (Inappropriate ioctl for device)
15064 1796061376.533093 ioctl(4, TCGETS, 0x7ffdf3c4b290) = -1 ENOTTY (Inappropriate ioctl for device)
15064 1796061376.533136 access("/tmp/app/missing", R_OK) = -1 ENOENT (No such file or directory)
15064 1796061376.533185 close(3)        = 0
15064 1796061376.533229 close(4)        = 0
15064 1796061376.533409 exit_group(0)   = ?
15064 1796061376.534298 +++ exited with 0 +++
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 39.05    0.002567        2567         1           execve
 15.21    0.001000           9       102           pread64
  9.81    0.000645           6       100           write
  7.42    0.000488          20        24        20 openat
  5.20    0.000342           6        52           read
  4.84    0.000318         318         1           munmap
  4.08    0.000268          33         8           mmap
  3.39    0.000223          74         3           mprotect
  2.95    0.000194           7        25           lseek
  2.01    0.000132          18         7         3 close
  1.29    0.000085           7        12        10 newfstatat
  1.17    0.000077          38         2         2 access
  1.16    0.000076          76         1           rseq
  1.00    0.000066          66         1           prlimit64
  0.82    0.000054          54         1           brk
  0.18    0.000012           6         2         2 ioctl
  0.15    0.000010          10         1           arch_prctl
  0.15    0.000010          10         1           set_tid_address
  0.09    0.000006           6         1           set_robust_list
------ ----------- ----------- --------- --------- ----------------
100.00    0.006573          19       345        37 total
