/* The templates of plots/, embedded when the program is built: arrays of lines
 * that NULL ends. Inside the room only. */
#ifndef CAPDIFF_RENDER_PLOTS_H
#define CAPDIFF_RENDER_PLOTS_H

extern const char *const cd_plot_common[];
extern const char *const cd_plot_delta[];
extern const char *const cd_plot_error[];
extern const char *const cd_plot_loss[];
extern const char *const cd_plot_offset[];
extern const char *const cd_plot_sweep[];

#endif
