"""Packets between processes: values as bytes, MPI, sockets, and the loopback of the tests."""
