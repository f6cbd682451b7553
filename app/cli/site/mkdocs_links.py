"""What a site of causal's pages needs besides MkDocs. Written by causal init --site; it is yours to change.

Links that lead out of the site lead to the repository on the web, headings have the anchors that GitHub gives them, the
navigation follows the directories, and each page is there as Markdown as well: that is what llms.txt links to.
"""
import posixpath
import re
import unicodedata
from pathlib import Path

LINK = re.compile(r"\]\((\.\.?/[^)\s]*)\)")
FENCE = re.compile(r"\s*(`{3,}|~{3,})")
NOWHERE = "#outside-of-the-site"  # where a link leads until it is taken away: there is no address of the repository
UNLINKED = re.compile(f'<a href="{NOWHERE}">(.*?)</a>', re.S)
MOST_LISTED = 200  # pages in the navigation, and on how many levels
MOST_DEPTH = 50
# Names in the first column of a table are not broken, those in the navigation are where they have no room, and a table
# without headings shows none.
STYLE = """<style>
.md-typeset td:first-child code { word-break: normal; overflow-wrap: break-word }
.md-nav__link { overflow-wrap: anywhere }
.md-typeset thead:not(:has(th:not(:empty))) { display: none }
</style>
"""
FIRST = ["index.md", "README.md", "_root.md"]  # of a directory's pages


class Anchors:
    """Names headings as GitHub does: one that comes again gets "-1", "-2" and so on."""

    def __init__(self):
        self.seen = {}

    def __call__(self, heading, separator):
        base = "".join(c for c in heading.lower().replace(" ", "-") if kept(c))
        anchor = base
        while anchor in self.seen:
            self.seen[base] += 1
            anchor = f"{base}-{self.seen[base]}"
        self.seen[anchor] = 0
        return anchor


def kept(c):
    return c == "-" or unicodedata.category(c) in ("Nd", "Nl", "Pc") or unicodedata.category(c)[0] in "LM"


anchors = Anchors()
home = ""  # the address of the first page that begins a directory


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = anchors
    return config


def on_files(files, config):
    if config["nav"] is None:
        config["nav"] = navigation([f.src_uri for f in files.documentation_pages()])
    return files


def navigation(paths):
    """The pages as MkDocs wants them listed: by name, each directory with its page and with what is in it.

    Every page shows the whole of it, so that a large site has the upper directories only.
    """
    top, depth = {}, 1
    while depth <= MOST_DEPTH and sum(path.count("/") <= depth for path in paths) <= MOST_LISTED:
        depth += 1
    for path in paths:
        if path.count("/") < depth:
            node, (*dirs, name) = top, path.split("/")
            for part in dirs:
                node = node.setdefault(part + "/", {})
            node[name] = path
    pages = {name: path for name, path in top.items() if not name.endswith("/") and name[:-3] + "/" not in top}
    below = {name: node for name, node in top.items() if name not in pages}
    return listed(pages) + [{title.capitalize(): entries for title, entries in entry.items()} for entry in listed(below)]


def listed(node):
    out = []
    for name in sorted(node, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name.lower())):
        if not name.endswith("/"):
            if name[:-3] + "/" not in node:
                out.append(node[name])
            continue
        title, below = name[:-1], node[name]
        while len(below) == 1 and next(iter(below)).endswith("/"):
            (more, below), = below.items()
            title += "/\u200b" + more[:-1]  # a line may end there
        page = [node[name[:-1] + ".md"]] if name[:-1] + ".md" in node else []
        out.append({title: page + listed(below)})
    return out


def on_page_markdown(markdown, page, config, files):
    anchors.seen.clear()
    root = Path(config["config_file_path"]).parent
    docs = Path(config["docs_dir"]).relative_to(root).as_posix()
    here = posixpath.dirname(posixpath.join(docs, page.file.src_uri))
    web = (config["repo_url"] or "").rstrip("/")

    def outside(match):
        target = posixpath.normpath(posixpath.join(here, match[1]))
        if target.startswith(docs + "/"):
            return match[0]
        kind = "tree" if match[1].endswith("/") else "blob"
        return f"]({web}/{kind}/HEAD/{target})" if web else f"]({NOWHERE})"

    lines, closing = markdown.split("\n"), None
    for i, line in enumerate(lines):
        mark = FENCE.match(line)
        if closing is None:
            lines[i] = LINK.sub(outside, line)
            closing = mark and mark[1]
        elif line.strip() == closing:
            closing = None
    return "\n".join(lines)


def on_page_content(html, page, config, files):
    return UNLINKED.sub(r"\1", html)


def on_nav(nav, config, files):
    global home
    home = next((page.url for page in nav.pages if page.is_index), "")
    return nav


def on_post_build(config):
    """Leads to the first page that begins a directory from where a site begins that has none itself."""
    index = Path(config["site_dir"], "index.html")
    if home and not index.exists():
        index.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={home}"><a href="{home}">{home}</a>\n', encoding="utf-8")


def on_post_page(output, page, config):
    """Adds the style, and writes the page as Markdown beside the others."""
    copy = Path(config["site_dir"], page.file.src_uri)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(page.markdown, encoding="utf-8")
    return output.replace("</head>", STYLE + "</head>", 1)
