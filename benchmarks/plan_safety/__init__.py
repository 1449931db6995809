"""Whether plans leave the files alone that a request does not ask to change."""
