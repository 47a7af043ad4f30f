"""What the encoder costs: the English talk of the dev writers goes through the general pack, once read by the linear
tier alone and once with the encoder. Times are of the processor, so that a busy machine does not count.

    PYTHONPATH=src:. python benchmarks/reader.py [WRITER …]
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

from training.corpus import rows

from holdfast import Holdfast
from holdfast.reading import encoder


def main() -> None:
    talk = [row for row in rows("dev") if row.language.startswith("en")]
    talk = [row for row in talk if row.writer in sys.argv[1:] or len(sys.argv) == 1]
    asked: list[float] = []
    plain = encoder.consult

    def timed(*given: Any, **more: Any) -> Any:
        began = time.process_time()
        told = plain(*given, **more)
        asked.append(1000 * (time.process_time() - began))
        return told

    linear = turns("linear", talk)
    encoder.encoder()  # loading is paid once, before the first message that is in doubt
    encoder.consult = timed
    turns("encoder", talk)
    encoder.consult = plain
    asked.sort()
    middle, most = statistics.median(asked), asked[int(0.95 * len(asked))]
    mean = sum(asked) / len(talk)
    print(f"a turn read by the linear tier: {linear:.2f} ms at the median")
    print(f"asked in {len(asked)} of {len(talk)} English messages ({len(asked) / len(talk):.0%})")
    print(f"when asked: {middle:.1f} ms at the median, {most:.1f} ms at p95 ({middle / linear:.1f} linear turns)")
    print(f"on average: {mean:.2f} ms a message ({mean / linear:.2f} linear turns)")


def turns(reader: str, talk: list[Any]) -> float:
    """The talk through an engine; milliseconds of a turn at the median."""
    taken, chat, scene = [], None, ""
    engine = Holdfast(reader=reader)
    for row in talk:
        if chat is None or row.scene != scene or not row.before:
            scene, chat = row.scene, engine.session(row.id, user=row.writer)
        if row.asked:
            chat.say(row.asked)
        began = time.process_time()
        chat.hear(row.text)
        taken.append(1000 * (time.process_time() - began))
    return statistics.median(taken)


if __name__ == "__main__":
    main()
