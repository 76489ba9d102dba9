15880 execve("/tmp/app/bin/threads", ["threads", "4", "25"], 0x7ffd8bed7498 /* 3 vars */) = 0
15880 brk(NULL)                         = 0x55fb49e8e000
15880 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f5f7be2f000
15880 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
15880 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
15880 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
15880 mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f5f7be23000
15880 close(3)                          = 0
15880 openat(AT_FDCWD, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3
