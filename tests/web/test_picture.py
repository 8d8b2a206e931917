"""The graph as bytes: the same list gives the same picture, whoever draws it and however it is asked for."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import ROOT
from tests.web.client import Client
from tests.web.conftest import SEED

LISTS = ("", SEED, "q=NCCL+timeout", "symptom=job-crash", "platform=openshift", "component=etcd&component=nccl")
SVG = "{http://www.w3.org/2000/svg}"
_ELSEWHERE = """
import hashlib, sys
from pathlib import Path
from kubegap.web.app import create_app
from kubegap.web.settings import Settings
from tests.web.client import Client
from tests.web.test_picture import in_page

client = Client(create_app(Path(sys.argv[1]), Settings()))
for place in sys.argv[2:]:
    content = client.get(place).content
    print(hashlib.sha256(content if ".svg" in place else in_page(content)).hexdigest())
"""


def in_page(page: bytes) -> bytes:
    """The picture that stands in a page."""
    start = page.index(b'<svg class="net"')
    return page[start : page.index(b"</svg>", start)]


def drawn_by_another(library: Path, places: list[str], seed: str) -> list[str]:
    """What a fresh process draws whose sets and dictionaries of strings are ordered by another seed."""
    command = [sys.executable, "-c", _ELSEWHERE, str(library), *places]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    return done.stdout.split()


def test_the_same_list_gives_the_same_bytes_in_every_process(client: Client, library_dir: Path):
    places = [f"/{lang}/incidents{form}?{query}" for lang in ("ko", "en") for form in ("", ".svg") for query in LISTS]
    here = [client.get(place).content for place in places]
    digests = [
        hashlib.sha256(content if ".svg" in place else in_page(content)).hexdigest()
        for place, content in zip(places, here, strict=True)
    ]

    assert len(set(digests)) == len(places)
    for seed in ("1", "2"):
        assert drawn_by_another(library_dir, places, seed) == digests


def test_the_order_of_the_address_does_not_matter(client: Client):
    turned = "&".join(reversed(SEED.split("&")))

    assert client.get(f"/ko/incidents.svg?{SEED}").content == client.get(f"/ko/incidents.svg?{turned}").content


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("query", [*LISTS, "component=etcd&symptom=gpu-not-visible"])
def test_it_is_a_picture_with_nothing_from_elsewhere(client: Client, query: str, lang: str):
    picture = ET.fromstring(client.get(f"/{lang}/incidents.svg?{query}").text)
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    texts = [text for text in picture.iter(f"{SVG}text") if text.get("x")]

    assert picture.tag == f"{SVG}svg"
    assert not [tag for tag in ("style", "image", "script", "use") if list(picture.iter(SVG + tag))]
    assert all(0 <= float(text.attrib["x"]) <= width and 0 <= float(text.attrib["y"]) <= height for text in texts)
    address = "".join(text.text or "" for link in list(picture)[-3:] if link.tag == f"{SVG}a" for text in link)
    assert address == f"http://library.test/{lang}/incidents" + (f"?{query}" if query else "")


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("query", ["", SEED])
def test_the_text_of_the_picture_reads_as_its_titles(client: Client, lang: str, query: str):
    """Labels are broken into lines for the eye; copied, searched or read aloud they keep their spaces."""
    picture = ET.fromstring(client.get(f"/{lang}/incidents.svg?{query}").content)
    values = client.get(f"/{lang}/incidents.json?{query}").json()["facets"]
    labels = {value["label"][lang] for facet in values.values() for value in facet}

    read = [" ".join("".join(link.itertext()).split()) for link in picture.iter(f"{SVG}a")]
    title = [" ".join((link.findtext(f"{SVG}title") or "").split()) for link in picture.iter(f"{SVG}a")]
    told = [text.removeprefix(found).strip() for text, found in zip(read, title, strict=True)]

    assert len(told) > 5
    shown = [text.rpartition(" ")[0] for text in told if text.rpartition(" ")[2].isdigit()]
    assert shown
    assert [text for text in shown if text not in labels] == []
