# SPDX-License-Identifier: Apache-2.0
"""What mkdocs does not do for the site by itself: every page gets into the menu, and links to files
that are not part of the documents become their text."""
import pathlib
import re

# [text](target) that leaves docs/: not an address, an anchor, or a path below.
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def on_config(config):
    docs = pathlib.Path(config["docs_dir"])
    named = set(re.findall(r"[\w/-]+\.md", str(config["nav"])))
    found = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    for entry in config["nav"]:
        if "Reference" in entry:
            entry["Reference"] += sorted(found - named)
    return config


def on_post_build(config):
    for name in ("sitemap.xml", "sitemap.xml.gz"):  # of a site that has no address
        (pathlib.Path(config["site_dir"]) / name).unlink(missing_ok=True)


def on_page_markdown(markdown, page, config, files):
    folder = (pathlib.Path(config["docs_dir"]) / page.file.src_path).parent
    docs = pathlib.Path(config["docs_dir"]).resolve()

    def keep_inside(match):
        text, target = match.groups()
        path = target.split("#")[0]
        if not path or re.match(r"[a-z]+:", path):
            return match.group(0)
        inside = (folder / path).resolve().is_relative_to(docs)
        return match.group(0) if inside else text

    return LINK.sub(keep_inside, markdown)
