import pytest

from kubegap.checks.pages import read_pages


@pytest.fixture(scope="session")
def pages():
    return read_pages()
