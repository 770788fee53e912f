#include "align/held.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void cd_held_release(struct cd_held *held)
{
	free(held->records);
	free(held->frames);
	free(held->status);
	free(held->times);
	cd_arena_release(&held->bytes);
	*held = (struct cd_held){0};
}

int cd_held_add(struct cd_held *held, const struct cd_record *record)
{
	uint8_t *data;

	if (cd_grow(&held->records, &held->capacity, held->n + 1,
		    sizeof(*held->records)) < 0)
		return -1;
	data = cd_arena_take(&held->bytes, (size_t)record->caplen + 1);
	if (data == NULL)
		return -1;
	memcpy(data, record->data, record->caplen);
	held->records[held->n] = *record;
	held->records[held->n++].data = data;
	held->n_bytes += record->caplen;
	return 0;
}

int cd_held_sample(struct cd_held *held)
{
	size_t n = held->n;

	held->frames = malloc((n + 1) * sizeof(*held->frames));
	held->status = malloc((n + 1) * sizeof(*held->status));
	held->times = malloc((n + 1) * sizeof(*held->times));
	if (held->frames == NULL || held->status == NULL || held->times == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct cd_record *r = &held->records[i];

		held->status[i] =
		    cd_frame_parse(r->linktype, r->data, r->caplen, r->origlen,
				   r->fcs_bytes, &held->frames[i]);
		held->times[i] = r->time;
	}
	held->n_sample = n;
	held->whole = !cd_held_is_enough(held);
	return 0;
}

struct cd_sample cd_held_view(const struct cd_held *held)
{
	return (struct cd_sample){.frames = held->frames,
				  .status = held->status,
				  .n = held->n_sample,
				  .times = held->times,
				  .whole = held->whole};
}
