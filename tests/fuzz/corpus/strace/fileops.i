[00007f055dc7ead7] execve("/tmp/app/bin/fileops", ["fileops", "100", "20", "/data/web/seed.bin", "/tmp/app/work/o.txt"], 0x7fffa71edc78 /* 3 vars */) = 0
[00007fb81d3cdc47] brk(NULL)            = 0x559df6aeb000
[00007fb81d3ceca3] mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7fb81d3a4000
[00007fb81d3ce9e7] access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)
[00007fb81d3ceb1d] openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
[00007fb81d3ce92a] newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0
[00007fb81d3ceca3] mmap(NULL, 46319, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7fb81d398000
