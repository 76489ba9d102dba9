14976 1796061375.238380 execve("/usr/bin/sh", ["sh", "-c", "fileops32; /tmp/app/work/absent;"...], 0x7fff06058808 /* 3 vars */) = 0 <0.005275>
14976 1796061375.246921 brk(NULL)       = 0x5593d85af000 <0.000034>
14976 1796061375.247766 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f9f1cbc2000 <0.000087>
14976 1796061375.248104 access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory) <0.000125>
14976 1796061375.248525 openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3 <0.000133>
14976 1796061375.248766 newfstatat(3, "", {st_mode=S_IFREG|0644, st_size=46319, ...}, AT_EMPTY_PATH) = 0 <0.000085>
