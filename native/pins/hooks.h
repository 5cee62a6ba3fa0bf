/* What the SpinS library (shim.c) needs of a graph. Plain C: two shared objects meet here. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mpisog_transition_info {
  int* labels;
  int group;
} mpisog_transition_info;

typedef void (*mpisog_emit)(void* context, mpisog_transition_info* info, int* target);

typedef struct mpisog_pins_hooks {
  void* graph;
  int variable_count;
  const char* const* variable_names;
  void (*initial)(void* graph, int* to);
  int (*successors)(void* graph, const int* from, mpisog_emit emit, void* context);
  void (*settle)(void* graph);
} mpisog_pins_hooks;

/* Makes `hooks` (or none, when null) the graph that this library shows; not thread-safe. */
void mpisog_pins_bind(const mpisog_pins_hooks* hooks);

/* From now on the bound graph answers as it has answered before, whatever the limits say. */
void mpisog_pins_settle(void);

#ifdef __cplusplus
}
#endif
