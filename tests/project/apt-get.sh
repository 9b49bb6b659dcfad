#!/bin/sh
echo "$@" >>"$0.log"
case "$*" in *update*) exit {update};; *install*) : ;;
  *) touch "$3_1_all.deb"; test -e "$(dirname "$0")/dpkg-deb"; exit;; esac
for name; do :; done
cp "$(dirname "$0")/perl" "$(dirname "$0")/$name"
