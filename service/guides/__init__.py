"""The guides as web pages: the list of Markdown documents, their HTML, and the search index.

`documents` lists the documents, `markdown` converts them to HTML, and `pages` fills the `templates` with this HTML.
`search` builds the search index, which includes the `synonyms`. Each process generates a page when it is first
requested, and caches it.

Libraries: jinja2, markdown_it, orjson.
"""
