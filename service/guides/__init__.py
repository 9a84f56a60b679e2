"""The guides as pages: the list of the Markdown documents, their HTML, and the index for the search.

`documents` lists the documents, `markdown` turns a document into HTML, `pages` fills the `templates` with this HTML,
and `search` makes the index, with the `synonyms`. Each process makes a page once, when the page is first requested.

Libraries: jinja2, markdown_it, orjson.
"""
