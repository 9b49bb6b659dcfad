#!/bin/sh
case "$2" in
  "") echo "500 somewhere main amd64 Packages";;
  {has}) echo "  Candidate: 1.0";;
  *) echo "  Candidate: (none)";;
esac
