#include <stdio.h>

int main(void)
{
	fputs("capdiff: nothing to do\n", stderr);
	return 2;
}
