#!/bin/sh
order=none
while [ $# -gt 0 ]; do
    case "$1" in --order) order=$2; shift;; esac
    file=$1; shift
done
calls=$(wc -l < "$file")
first=$(sed -n '/assert(/q; s/^void .\(t[0-9]*\)(.*/\1/p' "$file" | tail -1)
case "$order" in none|$first,*) ;; *) calls=$((2 * calls));; esac
verdict=SAFE; status=0
if grep -q '^// Unsafe:' "$file"; then verdict=UNSAFE; status=10; fi
echo "{\"verdict\":\"$verdict\",\"statistics\":{\"checker calls\":$calls}}"
exit $status
