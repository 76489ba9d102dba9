execve("/tmp/app/bin/fileops", ["fileops", "100", "20", "/data/web/seed.bin", "/tmp/app/work/o.txt"], 0x7ffd67ada4e8 /* 3 vars */) = 0
brk(NULL)                               = 0x561201950000
mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7fcba24b8000
access("/etc/ld.so.preload", R_OK)      = -1 ENOENT (No such file or directory)
openat(AT_FDCWD</tmp/app/work>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache>
newfstatat(3</etc/ld.so.cache>, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3</etc/ld.so.cache>, 0) = 0x7fcba24ac000
close(3</etc/ld.so.cache>)              = 0
