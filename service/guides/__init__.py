"""The guides as pages: the list of Markdown documents, their HTML, and the index that the search reads.

`documents` lists the documents, `markdown` turns one into HTML, `pages` fills the `templates` with it, and `search`
makes the index, with the `synonyms`. Each page is made when it is first requested, once per process.

Libraries: jinja2, markdown_it, orjson.
"""
