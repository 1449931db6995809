"""Whether everyday requests get an honest answer: observed, quoted, or a refusal."""
