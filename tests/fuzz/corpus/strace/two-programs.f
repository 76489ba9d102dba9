16475 1796061400.828025 execve("/usr/bin/sh", ["sh", "-c", "(fileops 100 20 /data/web/seed.b"...], 0x7fff4b3ddde0 /* 3 vars */) = 0 <0.002088>
16475 1796061400.831155 brk(NULL)       = 0x55a7639b8000 <0.000055>
16475 1796061400.832040 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7ff0eed77000 <0.000088>
16475 1796061400.832197 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory) <0.000105>
16475 1796061400.832557 openat(AT_FDCWD</tmp/app/work>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache> <0.000117>
