"""Line traces, read from the waveform of either engine."""
