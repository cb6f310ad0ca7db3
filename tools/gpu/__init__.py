"""What tools/measure_gpu measures, one kind of case per file."""
