% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 36.51    0.002056        1028         2           execve
 16.73    0.000942         942         1           clock_nanosleep
  8.15    0.000459          57         8           mprotect
  6.84    0.000385          21        18           mmap
  5.08    0.000286         143         2           munmap
  4.37    0.000246         123         2           clone3
  3.62    0.000204          51         4           rseq
  2.81    0.000158          39         4           brk
  2.47    0.000139          34         4           openat
  2.15    0.000121          30         4           set_robust_list
  2.08    0.000117          58         2         2 access
  1.70    0.000096          48         2           prlimit64
  1.54    0.000087          21         4           close
  1.44    0.000081          11         7           rt_sigprocmask
  1.28    0.000072          18         4           pread64
  1.12    0.000063          63         1           getrandom
  0.85    0.000048          48         1           rt_sigaction
  0.60    0.000034           8         4           newfstatat
  0.27    0.000015           7         2           arch_prctl
  0.25    0.000014           7         2           read
  0.16    0.000009           4         2           set_tid_address
------ ----------- ----------- --------- --------- ----------------
