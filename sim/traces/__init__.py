"""Line traces: a line of text for each cycle, read from a waveform of either engine."""
