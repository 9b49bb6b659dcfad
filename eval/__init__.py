"""Facts, measurements, sweeps and searches, the report and the studies of documents."""
