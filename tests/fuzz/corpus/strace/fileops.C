15064 1796061376.486461 execve("/tmp/app/bin/fileops", ["fileops", "100", "20", "/data/web/seed.bin", "/tmp/app/work/o.txt"], 0x7ffe04eb13c8 /* 3 vars */) = 0
15064 1796061376.494761 brk(NULL)       = 0x55ccd0f6d000
15064 1796061376.495516 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f8b0fa3a000
15064 1796061376.495757 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
15064 1796061376.496055 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
15064 1796061376.496146 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
