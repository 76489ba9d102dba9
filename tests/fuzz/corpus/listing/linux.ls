total 0
lr-x------ 1 root root 64 Nov 30 22:19 0 -> /dev/null
l-wx------ 1 root root 64 Nov 30 22:19 1 -> /dev/null
lrwx------ 1 root root 64 Nov 30 22:19 10 -> socket:[993486]
lrwx------ 1 root root 64 Nov 30 22:19 11 -> socket:[993487]
lrwx------ 1 root root 64 Nov 30 22:19 12 -> socket:[993488]
lrwx------ 1 root root 64 Nov 30 22:19 13 -> socket:[993489]
lrwx------ 1 root root 64 Nov 30 22:19 14 -> socket:[993490]
lrwx------ 1 root root 64 Nov 30 22:19 15 -> socket:[993491]
lrwx------ 1 root root 64 Nov 30 22:19 16 -> socket:[993492]
lrwx------ 1 root root 64 Nov 30 22:19 17 -> socket:[993493]
lr-x------ 1 root root 64 Nov 30 22:19 18 -> pipe:[993494]
l-wx------ 1 root root 64 Nov 30 22:19 19 -> pipe:[993494]
l-wx------ 1 root root 64 Nov 30 22:19 2 -> /dev/null
lrwx------ 1 root root 64 Nov 30 22:19 20 -> socket:[993495]
lrwx------ 1 root root 64 Nov 30 22:19 21 -> socket:[993496]
lrwx------ 1 root root 64 Nov 30 22:19 22 -> /memfd:scratch (deleted)
lrwx------ 1 root root 64 Nov 30 22:19 23 -> /dev/zero
lrwx------ 1 root root 64 Nov 30 22:19 24 -> /dev/ptmx
lrwx------ 1 root root 64 Nov 30 22:19 25 -> /dev/pts/0
lrwx------ 1 root root 64 Nov 30 22:19 26 -> /tmp/listing/fifo
lrwx------ 1 root root 64 Nov 30 22:19 27 -> anon_inode:[eventfd]
lrwx------ 1 root root 64 Nov 30 22:19 3 -> /tmp/listing/plain.txt
l-wx------ 1 root root 64 Nov 30 22:19 4 -> /tmp/listing/with space.txt
l-wx------ 1 root root 64 Nov 30 22:19 5 -> /tmp/listing/gone.txt (deleted)
l-wx------ 1 root root 64 Nov 30 22:19 6 -> /tmp/listing/a -> b.txt
l-wx------ 1 root root 64 Nov 30 22:19 7 -> /tmp/listing/tab	'q".txt
lr-x------ 1 root root 64 Nov 30 22:19 8 -> /tmp
lrwx------ 1 root root 64 Nov 30 22:19 9 -> anon_inode:[eventpoll]
