17:56:05 execve("/tmp/app/bin/fileops", ["fileops", "100", "20", "/data/web/seed.bin", "/tmp/app/work/o.txt"], 0x7ffcbd1fdf68 /* 3 vars */) = 0
17:56:05 brk(NULL)                      = 0x556f0e7c1000
17:56:05 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f4d3260f000
17:56:05 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
17:56:05 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
17:56:05 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
17:56:05 mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f4d32603000
17:56:05 close(3)                       = 0
