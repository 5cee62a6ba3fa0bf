#!/bin/bash
#SBATCH --job-name=mpisog
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=4
#SBATCH --time=01:00:00
#SBATCH --mem=16384M
#SBATCH --output=mpisog-%j.out
#SBATCH --signal=B:USR1@60
#SBATCH --no-requeue

cd /home/me/nets || exit 3
export MPISOG_THREADS=4

# Ahead of the time limit comes SIGUSR1. mpisog answers by saying what is known, with exit code 2.
signalled=yes
trap 'signalled=yes; kill -USR1 $!' USR1
trap 'signalled=yes; kill -TERM $!' TERM INT
# A rank that is left when others have ended is ended soon after, so that no job hangs.
srun --mpi=pmix --cpus-per-task=4 --kill-on-bad-exit=0 --wait=10 \
  /opt/bin/mpisog check net.pnml -f 'F p' --config slurm.toml &
while [ -n "$signalled" ]; do # a signal has interrupted wait: the exit code is still to come
  signalled=
  wait $!
  code=$?
done
exit $code
