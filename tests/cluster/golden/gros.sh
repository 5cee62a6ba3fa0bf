#!/bin/bash
#OAR -n mpisog
#OAR -l nodes=4,walltime=04:00:00
#OAR -O mpisog-%jobid%.out
#OAR -E mpisog-%jobid%.out
#OAR --checkpoint 60
#OAR --signal 10
#OAR -p cluster='gros'

cd /home/me/nets || exit 3
export MPISOG_THREADS=16

# Ahead of the time limit comes SIGUSR1. mpisog answers by saying what is known, with exit code 2.
signalled=yes
trap 'signalled=yes; kill -USR1 $!' USR1
trap 'signalled=yes; kill -TERM $!' TERM INT
/opt/bin/mpirun -n 4 --hostfile "$OAR_NODEFILE" --mca plm_rsh_agent oarsh -x MPISOG_THREADS \
  --map-by ppr:1:node --bind-to none \
  /opt/bin/mpisog check net.pnml -f 'F p' --config gros.toml &
while [ -n "$signalled" ]; do # a signal has interrupted wait: the exit code is still to come
  signalled=
  wait $!
  code=$?
done
exit $code
