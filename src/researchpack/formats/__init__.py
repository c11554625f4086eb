"""Readers: the text of one kind of file -> records. No file is opened here."""
