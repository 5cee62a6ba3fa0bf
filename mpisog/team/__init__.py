"""Building the observation graph with several threads and processes; see docs/internals/team.md."""
