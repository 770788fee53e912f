#include "stamp/confine.h"

#include "stamp/formats.h"

enum { RANGE_MAX = 1024, /* ports, or it is just any */ MISREAD = 10 };

static struct cd_stamp_spec spec_of(const struct cd_reading *r,
				    struct cd_kind kind)
{
	struct cd_stamp_spec spec = {
	    .format = &cd_stamp_field,
	    .width = r->width,
	    .little = r->little,
	    .step = r->step,
	    .shared = r->spot.shared,
	};
	int32_t at = (int32_t)r->spot.at, above = r->width - 1;

	if (!kind.ip) {
		spec.base = CD_AT_L3;
		spec.ethertype = kind.value;
	} else {
		spec.base =
		    kind.value == CD_PROTO_UDP || kind.value == CD_PROTO_TCP
			? CD_AT_UDP
			: CD_AT_L4;
		spec.protocol = (uint8_t)kind.value;
	}
	spec.at = r->little ? at : at - above;
	if (!r->spot.from_end)
		return spec;
	spec.base = CD_AT_END;
	spec.at = -(r->little ? at + 1 : at + 1 + above);
	return spec;
}

/* Ports of the packets that count: of the first one, and from which to which
 * they go. */
struct ports {
	uint16_t src, src_low, src_high;
	uint16_t dst, dst_low, dst_high;
	bool any;
};

static const struct cd_frame *frame_of(const struct cd_ground *ground,
				       const struct cd_body *body)
{
	return &ground->samples[body->capture].frames[body->position];
}

static void note_ports(struct ports *p, const struct cd_frame *f)
{
	if (!p->any) {
		p->src = p->src_low = p->src_high = f->src_port;
		p->dst = p->dst_low = p->dst_high = f->dst_port;
		p->any = true;
	}
	p->src_low = f->src_port < p->src_low ? f->src_port : p->src_low;
	p->src_high = f->src_port > p->src_high ? f->src_port : p->src_high;
	p->dst_low = f->dst_port < p->dst_low ? f->dst_port : p->dst_low;
	p->dst_high = f->dst_port > p->dst_high ? f->dst_port : p->dst_high;
}

/* What the argument reads that counts, and what it reads besides. */
struct catch
{
	size_t right, wrong;
};

static bool reads(const struct cd_stamp_spec *spec, const struct cd_frame *f)
{
	struct cd_stamp stamp;

	return (f->flags & CD_FRAME_LATER_FRAGMENT) == 0 &&
	       cd_stamp_parse(spec, f, &stamp) == CD_STAMP_YES;
}

static struct catch count_catch(const struct cd_stamp_spec *spec,
				const struct cd_reading *r,
				const struct cd_bodies *bodies,
				const struct cd_ground *ground)
{
	struct catch c = {0};

	for (size_t i = 0; i < ground->n; i++)
		for (size_t j = 0; j < ground->samples[i].n; j++)
			c.wrong += reads(spec, &ground->samples[i].frames[j]);
	for (size_t i = 0; i < bodies->n; i++) {
		bool read = reads(spec, frame_of(ground, &bodies->all[i]));

		c.right += read && (r->marks[i] & CD_MARK_CLAIMED) != 0;
		/* of a packet that has no neighbour nothing is known */
		c.wrong -= read && (r->marks[i] & CD_MARK_WILD) == 0;
	}
	return c;
}

/* The best of some ports so far. */
struct best {
	struct cd_stamp_spec spec;
	struct catch caught;
};

static void try_ports(struct best *best, const struct cd_reading *r,
		      const struct cd_bodies *bodies,
		      const struct cd_ground *ground, uint16_t low,
		      uint16_t high)
{
	struct cd_stamp_spec spec = best->spec;
	struct catch c;

	if (low == 0 || high - low >= RANGE_MAX)
		return;
	spec.protocol = 0;
	spec.port_from = low;
	spec.port_to = high;
	c = count_catch(&spec, r, bodies, ground);
	if (c.right < best->caught.right ||
	    (best->spec.port_to != 0 && c.wrong >= best->caught.wrong))
		return;
	best->spec = spec;
	best->caught = c;
}

bool cd_confine(const struct cd_reading *r, const struct cd_bodies *bodies,
		const struct cd_ground *ground, struct cd_stamp_spec *spec)
{
	struct best best = {.spec = spec_of(r, bodies->kind)};
	struct ports p = {.any = false};

	best.caught = count_catch(&best.spec, r, bodies, ground);
	for (size_t i = 0; i < bodies->n; i++)
		if ((r->marks[i] & CD_MARK_CLAIMED) != 0)
			note_ports(&p, frame_of(ground, &bodies->all[i]));
	if (best.spec.base == CD_AT_UDP || best.spec.base == CD_AT_END) {
		try_ports(&best, r, bodies, ground, p.dst, p.dst);
		try_ports(&best, r, bodies, ground, p.src, p.src);
		try_ports(&best, r, bodies, ground, p.dst_low, p.dst_high);
		try_ports(&best, r, bodies, ground, p.src_low, p.src_high);
	}
	*spec = best.spec;
	return best.caught.wrong * MISREAD <= best.caught.right;
}
