"""The guides as pages: the list of the Markdown documents, their HTML, and the search index.

`documents` lists the documents, `markdown` turns a document into HTML, `pages` fills the `templates` with this HTML,
and `search` builds the search index, which includes the `synonyms`. Each process produces each page once, when it is
first requested.

Libraries: jinja2, markdown_it, orjson.
"""
