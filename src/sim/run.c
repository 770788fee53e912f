#include "sim/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "sim/generator.h"
#include "sim/point.h"

/* Those above it first, as mkdir -p. */
static int make_folders(char *path)
{
	for (char *p = path + 1; *p != '\0'; p++) {
		int made;

		if (*p != '/')
			continue;
		*p = '\0';
		made = mkdir(path, 0777);
		*p = '/';
		if (made < 0 && errno != EEXIST)
			return -1;
	}
	return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : -1;
}

int cd_sim_folder(const char *dir, struct cd_error *error)
{
	char *path = cd_strdup(dir);
	int made;

	if (path == NULL)
		return cd_error_memory(error);
	made = path[0] == '\0' ? -1 : make_folders(path);
	free(path);
	if (made == 0)
		return 0;
	cd_error_file(error, dir);
	return cd_error_set(error, CD_E_WRITE, "cannot make this folder: %s",
			    strerror(errno));
}

static int offer_all(struct cd_point **points,
		     const struct cd_scenario *scenario,
		     struct cd_truth *truth, struct cd_error *error)
{
	struct cd_generator *generator = cd_generator_new(scenario, error);
	struct cd_packet packet;
	int status = generator == NULL ? -1 : 0;

	while (status == 0 && cd_generator_next(generator, &packet)) {
		cd_truth_sent(truth, &packet);
		for (size_t i = 0; i < scenario->n_points && status == 0; i++)
			status = cd_point_offer(points[i], &packet, error);
	}
	for (size_t i = 0; i < scenario->n_points && status == 0; i++)
		status = cd_point_finish(points[i], error);
	cd_generator_free(generator);
	return status;
}

static int write_truth(const struct cd_truth *truth, const char *dir,
		       struct cd_error *error)
{
	char *path = cd_strf("%s/truth.json", dir);
	int status;

	if (path == NULL)
		return cd_error_memory(error);
	status = cd_truth_write(truth, path, error);
	free(path);
	return status;
}

int cd_sim_run(const struct cd_scenario *scenario, const char *dir,
	       struct cd_truth *truth, struct cd_error *error)
{
	struct cd_point **points = calloc(scenario->n_points + 1,
					  sizeof(struct cd_point *));
	int status = 0;

	*truth = (struct cd_truth){.scenario = scenario};
	if (points == NULL)
		return cd_error_memory(error);
	if (cd_sim_folder(dir, error) || cd_truth_init(truth, scenario, error))
		status = -1;
	for (size_t i = 0; i < scenario->n_points && status == 0; i++) {
		points[i] = cd_point_open(scenario, i, dir, truth, error);
		if (points[i] == NULL)
			status = -1;
	}
	if (status == 0)
		status = offer_all(points, scenario, truth, error);
	for (size_t i = 0; i < scenario->n_points; i++)
		if (cd_point_close(points[i], status == 0, error))
			status = -1;
	free(points);
	if (status == 0)
		status = write_truth(truth, dir, error);
	return status;
}
