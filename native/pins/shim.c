/* The SpinS interface that Spot's LTSmin loader opens. It holds no logic: every call goes to the
 * graph that mpisog_pins_bind() was given last. Spot finds the functions by their names. */
#include "pins/hooks.h"

#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

static const mpisog_pins_hooks* bound = NULL;

EXPORT void mpisog_pins_bind(const mpisog_pins_hooks* hooks) { bound = hooks; }

EXPORT void mpisog_pins_settle(void) { bound->settle(bound->graph); }

EXPORT void spins_get_initial_state(int* to);
void spins_get_initial_state(int* to) { bound->initial(bound->graph, to); }

EXPORT int spins_get_successor_all(void* model, int* from, mpisog_emit emit, void* context);
int spins_get_successor_all(void* model, int* from, mpisog_emit emit, void* context) {
  (void)model;
  return bound->successors(bound->graph, from, emit, context);
}

EXPORT int spins_get_state_size(void);
int spins_get_state_size(void) { return bound->variable_count; }

EXPORT const char* spins_get_state_variable_name(int variable);
const char* spins_get_state_variable_name(int variable) { return bound->variable_names[variable]; }

/* Every variable is of the one type "int", which has no named values. */
EXPORT int spins_get_state_variable_type(int variable);
int spins_get_state_variable_type(int variable) {
  (void)variable;
  return 0;
}

EXPORT int spins_get_type_count(void);
int spins_get_type_count(void) { return 1; }

EXPORT const char* spins_get_type_name(int type);
const char* spins_get_type_name(int type) {
  (void)type;
  return "int";
}

EXPORT int spins_get_type_value_count(int type);
int spins_get_type_value_count(int type) {
  (void)type;
  return 0;
}

EXPORT const char* spins_get_type_value_name(int type, int value);
const char* spins_get_type_value_name(int type, int value) {
  (void)type;
  (void)value;
  return "";
}
