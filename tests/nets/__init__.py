"""Tests of the nets room."""
