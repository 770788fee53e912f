/*
 * Meeting places of the reading threads: a gate that lets a limited number of
 * them run, and the point where all wait for the choice of the stamp.
 */
#ifndef CAPDIFF_ALIGN_GATE_H
#define CAPDIFF_ALIGN_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum cd_choice { CD_UNDECIDED, CD_GO, CD_ABORT };

struct cd_gate {
	pthread_mutex_t mutex;
	pthread_cond_t left, decided, news;
	unsigned places; /* free ones */
	size_t waited;	 /* threads whose sample is not ready */
	size_t running;	 /* threads that have not ended */
	enum cd_choice choice;
};

/* `places`: threads that may run at once; n threads in all. 0 or -1. */
int cd_gate_init(struct cd_gate *gate, unsigned places, size_t n);
void cd_gate_release(struct cd_gate *gate);

void cd_gate_enter(struct cd_gate *gate);
void cd_gate_leave(struct cd_gate *gate);

/* A thread's sample is ready, or never will be. */
void cd_gate_sampled(struct cd_gate *gate);
enum cd_choice cd_gate_choice(struct cd_gate *gate);
/* Until there is a choice. */
enum cd_choice cd_gate_await_choice(struct cd_gate *gate);
void cd_gate_ended(struct cd_gate *gate);

/* For the thread that waits for all: true once all samples are there or all
 * have ended; false after a quarter of a second. */
bool cd_gate_all_sampled(struct cd_gate *gate);
bool cd_gate_all_ended(struct cd_gate *gate);
void cd_gate_choose(struct cd_gate *gate, enum cd_choice choice);

#endif
