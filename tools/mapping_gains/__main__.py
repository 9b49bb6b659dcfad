"""Command line of ``tools.mapping_gains``."""

import sys

from tools.mapping_gains.gains import main

main(sys.argv[1:])
