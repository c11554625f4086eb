"""Records -> files for other programs."""
