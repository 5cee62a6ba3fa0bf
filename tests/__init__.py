"""The test suite; rooms of the package have a directory of the same name here."""
