"""Hook of MkDocs: adds a page to the site for each file of the repository that a page links to."""

import re
from pathlib import Path
from posixpath import join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
_LINK = re.compile(r"(?<=\]\()(\.\./[^)#\s]+)")
_FOLDER = "source"
_HIDDEN = "---\nsearch:\n  exclude: true\n---\n\n"
_LANGUAGES = {".py": "python", ".h": "c", ".c": "c", ".S": "gas", ".toml": "toml", ".tcl": "tcl"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file of the repository outside docs/ to which a page has a link."""
    for page in list(files.documentation_pages()):
        for link in _LINK.findall(page.content_string):
            path = _outside(page, link)
            name = f"{_FOLDER}/{path}.md"
            if path and not files.get_file_from_path(name):
                text = (ROOT / path).read_text(encoding="utf-8")
                if Path(path).suffix != ".md":
                    language = _LANGUAGES.get(Path(path).suffix, "text")
                    text = f"# {path}\n\n`````{language}\n{text}`````\n"
                files.append(File.generated(config, name, content=_HIDDEN + text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Change links to files of the repository into links to the pages that ``on_files`` adds."""

    def lead(match: re.Match[str]) -> str:
        path = _outside(page.file, match[1])
        here = normpath(join(page.file.src_uri, ".."))
        return relpath(f"{_FOLDER}/{path}.md", here) if path else match[1]

    return markdown if page.file.src_uri.startswith(_FOLDER) else _LINK.sub(lead, markdown)


def _outside(page: File, link: str) -> str:
    """Path (from the repository's top) of the file at a link; empty if it is inside docs/."""
    path = normpath(join("docs", page.src_uri, "..", link))
    return path if not path.startswith(("docs/", "..")) and (ROOT / path).is_file() else ""
