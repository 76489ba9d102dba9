/proc/1/fd:
total 0
lrwx------ 1 root root 64 Nov 30 12:00 0
"/proc/2/task/3/fd":
lrwx------ 1 root root 64 Nov 30 12:00 "0" -> "/a\n\303\251"
lr-x------ 1 64 17 1 -> /a\ b\ (deleted)
