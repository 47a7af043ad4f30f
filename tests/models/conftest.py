"""A model over a real HTTP server that speaks the protocol of chat completions, as a paid API would."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from holdfast.models.endpoints import SecondOpinion, Upstream
from tests.server.upstream import Upstream as Double
from tests.server.upstream import upstream


@pytest.fixture(scope="module")
def endpoint() -> Iterator[tuple[str, Double]]:
    with upstream() as made:
        yield made


@pytest.fixture
def model(endpoint: tuple[str, Double]) -> Double:
    """The model, asked nothing yet and with nothing to say."""
    endpoint[1].asked.clear()
    endpoint[1].replies = ["{}"]
    return endpoint[1]


@pytest.fixture
def opinion(endpoint: tuple[str, Double]) -> SecondOpinion:
    return SecondOpinion(Upstream(endpoint[0], "key", "big", seconds=10))
