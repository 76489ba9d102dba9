% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 36.47    0.000337         337         1           munmap
 26.62    0.000246          49         5         5 rt_sigsuspend
  9.63    0.000089           8        10         5 rt_sigreturn
  9.20    0.000085          17         5           getpid
  6.06    0.000056          28         2           setitimer
  5.41    0.000050          50         1           rt_sigprocmask
  3.03    0.000028           5         5           tgkill
  2.60    0.000024           4         5           gettid
  0.97    0.000009           4         2           rt_sigaction
  0.00    0.000000           0         1           read
  0.00    0.000000           0         2           close
  0.00    0.000000           0         8           mmap
  0.00    0.000000           0         3           mprotect
  0.00    0.000000           0         1           brk
  0.00    0.000000           0         2           pread64
  0.00    0.000000           0         1         1 access
  0.00    0.000000           0         1           execve
  0.00    0.000000           0         1           arch_prctl
  0.00    0.000000           0         1           set_tid_address
  0.00    0.000000           0         2           openat
  0.00    0.000000           0         2           newfstatat
  0.00    0.000000           0         1           set_robust_list
