"""Whether changes of one file by steps, runs and processes at the same time are all kept."""
