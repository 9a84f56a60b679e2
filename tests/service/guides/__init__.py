"""The guides: the documents, the HTML that is made of them, and the index of their search."""
