#include "align/gate.h"

#include <time.h>

#define QUARTER_NS 250000000L

int cd_gate_init(struct cd_gate *gate, unsigned places, size_t n)
{
	*gate = (struct cd_gate){.places = places, .waited = n, .running = n};
	if (pthread_mutex_init(&gate->mutex, NULL) != 0)
		return -1;
	if (pthread_cond_init(&gate->left, NULL) != 0)
		goto no_left;
	if (pthread_cond_init(&gate->decided, NULL) != 0)
		goto no_decided;
	if (pthread_cond_init(&gate->news, NULL) != 0)
		goto no_news;
	return 0;
no_news:
	pthread_cond_destroy(&gate->decided);
no_decided:
	pthread_cond_destroy(&gate->left);
no_left:
	pthread_mutex_destroy(&gate->mutex);
	return -1;
}

void cd_gate_release(struct cd_gate *gate)
{
	pthread_cond_destroy(&gate->news);
	pthread_cond_destroy(&gate->decided);
	pthread_cond_destroy(&gate->left);
	pthread_mutex_destroy(&gate->mutex);
}

void cd_gate_enter(struct cd_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	while (gate->places == 0)
		pthread_cond_wait(&gate->left, &gate->mutex);
	gate->places--;
	pthread_mutex_unlock(&gate->mutex);
}

void cd_gate_leave(struct cd_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->places++;
	pthread_cond_signal(&gate->left);
	pthread_mutex_unlock(&gate->mutex);
}

void cd_gate_sampled(struct cd_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->waited--;
	pthread_cond_signal(&gate->news);
	pthread_mutex_unlock(&gate->mutex);
}

enum cd_choice cd_gate_choice(struct cd_gate *gate)
{
	enum cd_choice choice;

	pthread_mutex_lock(&gate->mutex);
	choice = gate->choice;
	pthread_mutex_unlock(&gate->mutex);
	return choice;
}

enum cd_choice cd_gate_await_choice(struct cd_gate *gate)
{
	enum cd_choice choice;

	pthread_mutex_lock(&gate->mutex);
	while (gate->choice == CD_UNDECIDED)
		pthread_cond_wait(&gate->decided, &gate->mutex);
	choice = gate->choice;
	pthread_mutex_unlock(&gate->mutex);
	return choice;
}

void cd_gate_ended(struct cd_gate *gate)
{
	pthread_mutex_lock(&gate->mutex);
	gate->running--;
	pthread_cond_signal(&gate->news);
	pthread_mutex_unlock(&gate->mutex);
}

/* pthread_cond_timedwait() counts by CLOCK_REALTIME; a step of it only makes
 * one wait longer or shorter. */
static bool wait_for_zero(struct cd_gate *gate, const size_t *count)
{
	struct timespec end;
	bool zero;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_nsec += QUARTER_NS;
	if (end.tv_nsec >= 1000000000L) {
		end.tv_nsec -= 1000000000L;
		end.tv_sec++;
	}
	pthread_mutex_lock(&gate->mutex);
	while (*count > 0 && pthread_cond_timedwait(&gate->news, &gate->mutex,
						    &end) == 0)
		;
	zero = *count == 0;
	pthread_mutex_unlock(&gate->mutex);
	return zero;
}

bool cd_gate_all_sampled(struct cd_gate *gate)
{
	return wait_for_zero(gate, &gate->waited);
}

bool cd_gate_all_ended(struct cd_gate *gate)
{
	return wait_for_zero(gate, &gate->running);
}

void cd_gate_choose(struct cd_gate *gate, enum cd_choice choice)
{
	pthread_mutex_lock(&gate->mutex);
	gate->choice = choice;
	pthread_cond_broadcast(&gate->decided);
	pthread_mutex_unlock(&gate->mutex);
}
