#!/bin/bash

cd /home/me/nets || exit 3
export MPISOG_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Ahead of the time limit comes SIGUSR1. mpisog answers by saying what is known, with exit code 2.
signalled=yes
trap 'signalled=yes; kill -USR1 $!' USR1
trap 'signalled=yes; kill -TERM $!' TERM INT
/opt/bin/mpirun -n 4 --map-by :OVERSUBSCRIBE --bind-to none \
  /opt/bin/mpisog check net.pnml -f 'F p' --config laptop.toml &
while [ -n "$signalled" ]; do # a signal has interrupted wait: the exit code is still to come
  signalled=
  wait $!
  code=$?
done
exit $code
