"""One guard a file; `guards` lists them."""
