"""Who runs units of work: this process, other processes of this machine, or ranks of MPI."""
