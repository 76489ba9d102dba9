/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the library's own, of which the program that uses it need not know. */
#ifndef CG_BASE_THREAD_H
#define CG_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that takes no signals: they stay with the threads that the program knows of. False: none can be
 * had. */
bool cg_thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

#endif
