16018 execve("/tmp/app/bin/threadexec", ["threadexec"], 0x7ffded51b2c8 /* 3 vars */) = 0
16018 brk(NULL)                         = 0x557601843000
16018 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f403e573000
16018 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
16018 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
16018 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
16018 mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f403e567000
16018 close(3)                          = 0
16018 openat(AT_FDCWD, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3
