total 0
lrwx------ 1 root root 64 Nov 30 12:00 [01;36m0[0m -> [01;34m/tmp[0m/
lrwx------ 1 root root 64 Nov 30 12:00 1 -> 'a'$'\n'\''b'
