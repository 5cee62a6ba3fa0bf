"""The engines behind one protocol, problems and their transformations, stages and schedules."""
