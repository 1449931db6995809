"""What is measured of this project, and of llama.cpp itself, each in a process of its own."""
