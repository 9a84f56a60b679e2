"""The guides as pages: the list of the Markdown documents, their HTML, and the index for the search.

`documents` lists the documents, `markdown` turns a document into HTML, `pages` fills the `templates` with this HTML,
and `search` builds the index, with the `synonyms`. Each process produces each page once, when it is first requested.

Libraries: jinja2, markdown_it, orjson.
"""
