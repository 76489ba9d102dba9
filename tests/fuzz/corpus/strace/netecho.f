16000 execve("/tmp/app/bin/netecho", ["netecho", "20", "700", "8110"], 0x7ffd10493d80 /* 3 vars */) = 0
16000 brk(NULL)                         = 0x558f5ba95000
16000 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f7c4531f000
16000 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
16000 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
16000 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
16000 mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f7c45313000
16000 close(3)                          = 0
16000 openat(AT_FDCWD, "/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY|O_CLOEXEC) = 3
