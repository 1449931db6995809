"""The applications of macOS, by a double of `osascript` that runs the real scripts."""
