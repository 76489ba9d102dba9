     0.000000 execve("/tmp/app/bin/fileops", ["fileops", "100", "20", "/data/web/seed.bin", "/tmp/app/work/o.txt"], 0x7ffdb34d7958 /* 3 vars */) = 0
     0.003289 brk(NULL)                 = 0x564b73ec7000
     0.000934 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f6b921c6000
     0.000197 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
     0.000445 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
     0.000319 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
     0.000187 mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f6b921ba000
     0.000074 close(3)                  = 0
