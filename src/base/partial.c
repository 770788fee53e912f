#include "base/partial.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"

/* Never freed, but used again. Whoever takes a path out owns it: the handler
 * may run in another thread than the one that ends a file. */
struct cd_partial {
	_Atomic(char *) path;
	struct cd_partial *next;
};

static _Atomic(struct cd_partial *) files;

struct cd_partial *cd_partial_begin(const char *path)
{
	char *copy = cd_strdup(path);
	struct cd_partial *p;

	if (copy == NULL)
		return NULL;
	for (p = atomic_load(&files); p != NULL; p = p->next) {
		char *unused = NULL;

		if (atomic_compare_exchange_strong(&p->path, &unused, copy))
			return p;
	}
	p = malloc(sizeof(*p));
	if (p == NULL) {
		free(copy);
		return NULL;
	}
	atomic_init(&p->path, copy);
	p->next = atomic_load(&files);
	while (!atomic_compare_exchange_weak(&files, &p->next, p))
		;
	return p;
}

void cd_partial_end(struct cd_partial *partial)
{
	if (partial != NULL)
		free(atomic_exchange(&partial->path, NULL));
}

/* The signal is blocked in here; raised again, it ends the program behind. Only
 * what is safe in a handler: pointers are lock-free, nothing is freed. */
static void stop(int signal)
{
	for (struct cd_partial *p = atomic_load(&files); p != NULL;
	     p = p->next) {
		const char *path = atomic_exchange(&p->path, NULL);

		if (path != NULL)
			unlink(path);
	}
	raise(signal);
}

void cd_partial_watch(void)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
	struct sigaction action = {.sa_handler = stop}, old;

	_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2, "used in a handler");
	action.sa_flags = (int)SA_RESETHAND;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}
