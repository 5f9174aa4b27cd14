"""The documentation is true: its code runs, its tables are current, its pages are all there."""

import re
from pathlib import Path

import pytest

import domino_env
from domino_env.cli.rules_command import rules_page
from tools import docs, pictures

PAGES = docs.pages()
CODE = re.compile(r"^( *)```python\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def blocks() -> list[tuple[str, str]]:
    found = []
    for page in [*PAGES, docs.ROOT / "CONTRIBUTING.md"]:
        for number, match in enumerate(CODE.finditer(page.read_text(encoding="utf-8")), 1):
            lines = [line.removeprefix(match[1]) for line in match[2].splitlines()]
            found.append((f"{page.relative_to(docs.ROOT)}-{number}", "\n".join(lines)))
    return found


@pytest.mark.parametrize(("name", "code"), blocks(), ids=[name for name, _ in blocks()])
def test_the_examples_in_the_docs_run(name: str, code: str) -> None:
    exec(compile(code, name, "exec"), {"__name__": "__example__"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(docs.ROOT)))
def test_the_tables_made_from_code_are_current(page: Path) -> None:
    assert docs.remade(page) == page.read_text(encoding="utf-8"), "run make docs"


@pytest.mark.parametrize("page", [*PAGES, docs.ROOT / "CONTRIBUTING.md"], ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page} links to {target}"


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    found = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", [*PAGES, docs.ROOT / "CONTRIBUTING.md"], ids=str)
def test_links_to_sections_lead_to_a_heading(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    for target, section in links:
        linked = page.parent / target if target else page
        assert section in headings(linked), f"{page} links to {target}#{section}"


def test_the_index_of_the_docs_names_every_page() -> None:
    index = docs.ROOT / "docs" / "README.md"
    linked = set(re.findall(r"\]\(([^)#:]+)", index.read_text(encoding="utf-8")))
    pages = {page.name for page in index.parent.glob("*.md")} - {index.name}
    assert pages <= linked, f"docs/README.md does not link to {sorted(pages - linked)}"


@pytest.mark.parametrize("variant", domino_env.variants())
def test_every_game_has_its_page_of_rules(variant: str) -> None:
    text = rules_page(domino_env.rules(variant)).read_text(encoding="utf-8")
    assert text.startswith(f"# {domino_env.rules(variant).title}\n")
    for part in ("## The round", "## Points", "## Decisions", "## Clauses"):
        assert part in text


@pytest.mark.parametrize("variant", domino_env.variants())
def test_every_game_has_its_picture(variant: str) -> None:
    kept = (pictures.IMAGES / f"{variant}.svg").read_text(encoding="utf-8")
    assert pictures.picture(variant) == kept, "run make docs"
    page = (docs.ROOT / "docs" / "rules" / f"{variant}.md").read_text(encoding="utf-8")
    assert f"(../images/{variant}.svg)" in page


def test_public_names_are_the_ones_we_mean() -> None:
    assert sorted(domino_env.__all__) == [
        "Batch", "Move", "Position", "Rules", "Tile", "actions", "aec", "batch", "errors",
        "raw_aec", "rules", "variants", "warm_up",
    ]  # fmt: skip
    for name in domino_env.__all__:
        assert getattr(domino_env, name).__doc__, f"{name} says nothing of itself"
