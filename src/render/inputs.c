#include "render/inputs.h"

#include "report/text.h"

static void add_stop(struct cd_str *out, bool damaged, bool cut_short,
		     uint64_t offset)
{
	if (!damaged && !cut_short)
		return;
	cd_str_add(out, damaged ? ", damaged at byte "
				: ", cut short at byte ");
	cd_text_total(out, offset);
}

void cd_inputs_file(struct cd_str *out, const struct cd_report_capture *c)
{
	cd_str_add(out, c->path == NULL ? "" : c->path);
	if (c->n_files > 0)
		cd_str_addf(out, ", %zu files", c->n_files);
	if (c->format != NULL)
		cd_str_addf(out, ", %s", c->format);
	if (c->compression != NULL)
		cd_str_addf(out, ", %s", c->compression);
}

void cd_inputs_bytes(struct cd_str *out, const struct cd_report_capture *c)
{
	cd_str_add(out, ", ");
	cd_text_total(out, c->bytes);
	cd_str_add(out, " bytes captured");
	if (c->n_files == 0)
		add_stop(out, c->damaged, c->cut_short, c->stop_offset);
}

void cd_inputs_part(struct cd_str *out, const struct cd_report_file *f)
{
	cd_str_addf(out, "%s, packets ", f->path);
	cd_text_total(out, f->packets);
	add_stop(out, f->damaged, f->cut_short, f->stop_offset);
}

void cd_inputs_iface(struct cd_str *out, const struct cd_report_iface *iface)
{
	cd_str_addf(out, "%lu", (unsigned long)iface->id);
	if (iface->section > 0)
		cd_str_addf(out, " of section %lu",
			    (unsigned long)iface->section);
	if (iface->name != NULL)
		cd_str_addf(out, " %s", iface->name);
	if (iface->description != NULL)
		cd_str_addf(out, " (%s)", iface->description);
}

static void add_counter(struct cd_str *out, const char *name, uint64_t count)
{
	cd_str_addf(out, ", %s ", name);
	if (count == UINT64_MAX)
		cd_str_add(out, "not recorded");
	else
		cd_text_total(out, count);
}

void cd_inputs_counters(struct cd_str *out,
			const struct cd_report_iface *iface)
{
	if (iface->filter != NULL)
		cd_str_addf(out, ", filter \"%s\"", iface->filter);
	add_counter(out, "packets", iface->packets);
	add_counter(out, "received", iface->received);
	add_counter(out, "dropped", iface->dropped);
	add_counter(out, "dropped by the system", iface->os_dropped);
}
