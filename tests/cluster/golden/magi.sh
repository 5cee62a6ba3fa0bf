#!/bin/bash
#SBATCH --job-name=mpisog
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
#SBATCH --time=04:00:00
#SBATCH --mem=61440M
#SBATCH --partition=COMPUTE
#SBATCH --output=mpisog-%j.out
#SBATCH --signal=B:USR1@60
#SBATCH --no-requeue
#SBATCH --exclusive
#SBATCH --hint=nomultithread

cd /home/me/nets || exit 3
export MPISOG_THREADS=16

# Ahead of the time limit comes SIGUSR1. mpisog answers by saying what is known, with exit code 2.
signalled=yes
trap 'signalled=yes; kill -USR1 $!' USR1
trap 'signalled=yes; kill -TERM $!' TERM INT
# A rank that is left when others have ended is ended soon after, so that no job hangs.
srun --mpi=pmix --cpus-per-task=16 --kill-on-bad-exit=0 --wait=10 \
  /opt/bin/mpisog check net.pnml -f 'F p' --config magi.toml &
while [ -n "$signalled" ]; do # a signal has interrupted wait: the exit code is still to come
  signalled=
  wait $!
  code=$?
done
exit $code
