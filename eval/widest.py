"""Greatest width of a report, in a module that takes no time to import."""

MAX_NBITS = 4096  #: greatest width in bits that a report measures
