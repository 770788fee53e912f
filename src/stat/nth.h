/*
 * Selection for one type, included by order.c once for each: TYPE and the
 * function names NTH, SORT_SMALL, SORT_HEAP, CHOOSE_PIVOT, PART are macros
 * there. No guard.
 */

static void SORT_SMALL(TYPE *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		TYPE t = v[i];
		size_t j = i;

		for (; j > 0 && t < v[j - 1]; j--)
			v[j] = v[j - 1];
		v[j] = t;
	}
}

static void SORT_HEAP(TYPE *v, size_t n)
{
	size_t start = n / 2, end = n;

	while (end > 1) {
		size_t root, child;
		TYPE t;

		if (start > 0) {
			t = v[--start];
		} else {
			t = v[--end];
			v[end] = v[0];
		}
		for (root = start; (child = 2 * root + 1) < end; root = child) {
			if (child + 1 < end && v[child] < v[child + 1])
				child++;
			if (!(t < v[child]))
				break;
			v[root] = v[child];
		}
		v[root] = t;
	}
}

/* A value of v a little to the far side of rank k, so that the first cut
 * leaves k in the smaller part: from an evenly spaced sample. */
static TYPE CHOOSE_PIVOT(const TYPE *v, size_t n, size_t k)
{
	TYPE sample[SAMPLE];
	double at = (double)k / (double)n * (SAMPLE - 1);
	double margin = 0.5 + sqrt(at * (SAMPLE - 1 - at) / SAMPLE);
	double want = 2 * k < n ? at + margin : at - margin;
	size_t step = n / SAMPLE;

	for (size_t i = 0; i < SAMPLE; i++)
		sample[i] = v[i * step + step / 2];
	SORT_SMALL(sample, SAMPLE);
	if (want < 0)
		want = 0;
	if (want > SAMPLE - 1)
		want = SAMPLE - 1;
	return sample[(size_t)(want + 0.5)];
}

/* Everything below the pivot (or not above it, with `equal`) to the front, how
 * many they are. Lomuto's loop without a branch: what random data cost in
 * mispredicted ones is more than the moves. */
static size_t PART(TYPE *v, size_t n, TYPE pivot, bool equal)
{
	size_t j = 0;

	if (equal) {
		for (size_t i = 0; i < n; i++) {
			TYPE t = v[i];

			v[i] = v[j];
			v[j] = t;
			j += !(pivot < t);
		}
		return j;
	}
	for (size_t i = 0; i < n; i++) {
		TYPE t = v[i];

		v[i] = v[j];
		v[j] = t;
		j += t < pivot;
	}
	return j;
}

TYPE NTH(TYPE *v, size_t n, size_t k)
{
	size_t patience = WORK * n, low = 0, high = n;

	assert(k < n);
	while (high - low > SAMPLE) {
		size_t size = high - low, cut;
		TYPE pivot = CHOOSE_PIVOT(v + low, size, k - low);

		if (patience < size)
			break;
		patience -= size;
		cut = low + PART(v + low, size, pivot, false);
		if (k < cut) {
			high = cut;
			continue;
		}
		if (cut == low) {
			/* the pivot is the smallest: set its equals aside */
			cut = low + PART(v + low, size, pivot, true);
			if (k < cut)
				return pivot;
		}
		low = cut;
	}
	if (high - low > SAMPLE)
		SORT_HEAP(v + low, high - low);
	else
		SORT_SMALL(v + low, high - low);
	return v[k];
}
