"""Measurements of tools/measure_gpu, one kind per file."""
