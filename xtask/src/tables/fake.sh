#!/bin/sh
rounds=1; unwind=1
while [ $# -gt 0 ]; do
    case "$1" in
        --rounds) rounds=$2; shift;;
        --unwind) unwind=$2; shift;;
    esac
    file=$1; shift
done
verdict='"UNKNOWN","reason_kind":"bound"'; status=5
case "$file" in
    *missed*) ;;
    *false*) verdict='"UNSAFE"'; status=10;;
    *slow*) [ $rounds -gt 2 ] && verdict='"UNKNOWN","reason_kind":"timeout"';;
esac
echo "{\"verdict\":$verdict,\"statistics\":{\"variables\":$((10 * rounds * unwind)),\"clauses\":7}}"
exit $status
