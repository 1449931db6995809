"""Whether plans leave files alone: the measure, and a fixed sample of it."""
