"""The guides as pages: the list of the Markdown documents, their HTML, and the search index.

`documents` lists the documents, `markdown` turns a document into HTML, `pages` fills the `templates` with this HTML,
and `search` builds the search index, which includes the `synonyms`. Each process generates a page at the first request
for it, and keeps the page.

Libraries: jinja2, markdown_it, orjson.
"""
