"""A simulated technician: random answers, side questions, disputes, corrections, silence, in three languages.

    python -m benchmarks.technician 10000

Every conversation must end in a report, or in an honest report of what could not be verified; a loop, a repeated closed
step or a dead end is counted and fails the run. The cost of a turn is printed as well.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from typing import Any, NamedTuple

from holdfast import Holdfast
from holdfast.agents import run
from holdfast.packs.rv_service_desk import PACK
from holdfast.packs.service_desk.face import DeskFace
from holdfast.session import Session

LONGEST = 150
"""Turns after which a conversation counts as a dead end."""

HELPLESS = 0.04
"""Share of technicians who have no tools and no access: all they can give is that nothing can be verified."""

COMPLAINTS = {
    "en": [
        "Water pump not working",
        "water heater does not light",
        "Furnace blows cold",
        "Rooftop AC not cooling",
        "dash AC is warm",
        "Fridge not cooling",
        "Slide-out won't extend",
        "Leveling jacks do not respond",
        "Awning does not open",
        "Inverter not producing AC output",
        "propane smell, gas system",
        "solar is not charging",
        "Aqua-Hot no hot water",
        "BMPro screen is blank",
        "ice maker makes no ice",
        "microwave dead",
        "outlet has no power",
        "lights do not work",
        "AC not cooling",
    ],
    "ru": [
        "водяной насос не работает",
        "водонагреватель не греет",
        "отопитель не запускается",
        "крышный кондиционер не охлаждает",
        "холодильник не холодит",
        "слайд не выдвигается",
        "маркиза не открывается",
        "инвертор не работает",
        "солнечная панель не заряжает",
        "нет питания в розетке",
    ],
    "es": [
        "la bomba de agua no funciona",
        "el calentador de agua no enciende",
        "el refrigerador no enfría",
        "el slide-out no sale",
        "el toldo no abre",
        "el inversor no da corriente",
        "la máquina de hielo no hace hielo",
        "el calefactor no arranca",
    ],
}
SAYINGS: dict[str, dict[str, list[str]]] = {
    "en": {
        "answer": [
            "yes",
            "no",
            "12.6 V",
            "0 V",
            "all clean",
            "it hums",
            "no spark",
            "not moving",
            "11.2 in WC",
            "25 mV",
        ],
        "side": [
            "where is it?",
            "what is a contactor?",
            "how do I check that?",
            "is this the right one?",
            "left side?",
        ],
        "unable": ["can't check that", "I don't know", "no tool for that"],
        "already": ["I already told you that", "not relevant"],
        "dispute": ["are you sure?", "that can't be", "wait, I found a leak on the line"],
        "correction": ["I misread it, it is 12.1 V", "the reading was wrong", "correction: 9.5 V"],
        "noise": ["", "...", "hello", "what's next?", "thanks"],
        "fault": ["flame sensor is bad", "found a short circuit in the wiring", "the motor failed"],
        "repair": ["replaced the relay, works now", "fixed the wiring and it is running"],
        "no": ["no, still not working", "not yet"],
        "yes": ["yes, works now", "yes"],
        "other": ["also the fridge is not cooling", "the problem is back", "continue", "2 hours", "skip labor"],
        "report": ["START FINAL REPORT"],
        "roof": ["roof"],
    },
    "ru": {
        "answer": ["да", "нет", "12,6 В", "0 В", "все чисто", "гудит", "нет искры", "не движется", "25 мВ"],
        "side": ["где это находится?", "что такое реле?", "как проверить?", "это он?", "слева?"],
        "unable": ["не могу проверить", "не знаю", "нечем мерить"],
        "already": ["я же сказал", "вопрос не по существу"],
        "dispute": ["вы уверены?", "не может быть", "стоп, нашёл утечку на шланге"],
        "correction": ["ошибся, там 12.1 В", "показание неверное"],
        "noise": ["", "???", "привет", "что дальше?"],
        "fault": ["датчик пламени неисправен", "короткое замыкание в проводке"],
        "repair": ["заменил реле, теперь работает"],
        "no": ["нет, не работает", "пока нет"],
        "yes": ["да, работает", "да"],
        "other": ["ещё холодильник не работает", "снова не работает", "продолжаем", "без трудозатрат"],
        "report": ["START FINAL REPORT", "итоговый отчёт"],
        "roof": ["на крыше"],
    },
    "es": {
        "answer": ["sí", "no", "12,6 V", "0 V", "todo limpio", "zumba", "no hay chispa", "no se mueve"],
        "side": ["¿dónde está?", "¿qué es un relé?", "¿cómo lo verifico?", "¿es este?", "¿a la izquierda?"],
        "unable": ["no puedo verificar", "no sé", "no tengo multímetro"],
        "already": ["ya lo revisé", "no viene al caso"],
        "dispute": ["¿está seguro?", "eso no puede ser", "espera, encontré una fuga en la manguera"],
        "correction": ["me equivoqué, son 12.1 V", "la lectura estaba mal"],
        "noise": ["", "...", "hola", "¿qué sigue?"],
        "fault": ["sensor de llama defectuoso", "hay un cortocircuito en el cableado"],
        "repair": ["cambié el relé y ya funciona"],
        "no": ["no funciona todavía", "sigue igual"],
        "yes": ["sí, funciona", "sí"],
        "other": ["además la nevera no enfría", "dejó de funcionar otra vez", "continúa", "sin mano de obra"],
        "report": ["START FINAL REPORT", "informe final"],
        "roof": ["de techo"],
    },
}
MOODS = ("answer", "side", "unable", "already", "dispute", "correction", "noise", "fault", "repair", "other")
WEIGHTS = (50, 14, 6, 4, 4, 5, 8, 2, 1, 3)


class Ending(NamedTuple):
    """How a conversation ended, and what went wrong in it."""

    end: str
    turns: int
    wrong: tuple[str, ...]


def says(rng: random.Random, language: str, plan: Any, turns: int, question: str | None) -> str:
    """What the technician answers; towards the end of patience, only what leads to a report."""
    sayings = SAYINGS[language]
    if question is not None and "roof" in question:
        return rng.choice(sayings["roof"])
    action = plan.action if plan is not None else ""
    if action in ("offer_completion", "generate_labor") and rng.random() < 0.6:
        return rng.choice(sayings["report"])
    if action == "ask_restoration_check":
        return rng.choice(sayings[rng.choice(("yes", "no", "no", "side", "noise", "answer"))])
    mood = rng.choices(MOODS, WEIGHTS)[0] if turns < 60 else "answer"
    return rng.choice(sayings[mood])


def converse(chat: Session, rng: random.Random) -> Ending:
    """One conversation with the desk's own agent, watched for loops, repeated steps and dead ends."""
    face: DeskFace = chat.face
    language = rng.choice(("en", "ru", "es"))
    text = rng.choice(COMPLAINTS[language])
    helpless = rng.random() < HELPLESS
    wrong: list[str] = []
    for turns in range(1, LONGEST):
        turn = chat.hear(text)
        state = turn.state
        plan = state.diagnosis.plan
        if plan.action == "ask_step" and plan.step in state.procedure.closed:
            wrong.append(f"closed step {plan.step} planned")
        fallbacks = 0
        for reply in run(PACK.agent, turn, chat):  # type: ignore[arg-type]
            if reply.violations:
                wrong.append(f"{reply.violations[0].rule}: {reply.text[:60]}")
            fallbacks += face.is_fallback(reply.text)
        if fallbacks and chat.state.guard.fallbacks > 1:
            wrong.append("two fallbacks in a row")
        if state.topics.mode == "final_report" and chat.state.report.produced:
            unable = len(state.procedure.unable())
            known = state.diagnosis.isolation_complete
            end = "report" if known or unable < len(state.procedure.closed) else "cannot be verified"
            return Ending(end, turns, tuple(wrong))
        text = says(rng, language, chat.state.diagnosis.plan, turns, turn.question)
        if helpless and chat.state.procedure.active is not None:
            text = rng.choice(SAYINGS[language]["unable"])
    return Ending("dead end", LONGEST, tuple(wrong))


def simulate(conversations: int, seed: int = 1, show: bool = False) -> tuple[Counter[str], list[str], int]:
    """So many conversations; how they ended, what went wrong, and the number of turns."""
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    turns = 0
    hf = Holdfast(pack=PACK)
    for number in range(conversations):
        ending = converse(hf.session(f"case-{number}"), random.Random(seed * 1_000_003 + number))
        hf.forget(session=f"case-{number}")
        ends[ending.end] += 1
        turns += ending.turns
        wrong += [f"conversation {number}: {what}" for what in ending.wrong]
        if show and (number + 1) % 100 == 0:
            print(f"\r{number + 1:,} of {conversations:,} conversations", end="", file=sys.stderr, flush=True)
    return ends, wrong, turns


def main() -> None:
    conversations = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    began = time.perf_counter()
    ends, wrong, turns = simulate(conversations, show=True)
    spent = time.perf_counter() - began
    print(file=sys.stderr)
    for end, count in ends.most_common():
        print(f"{end:20} {count:8,}")
    print(f"{'turns':20} {turns:8,}")
    print(f"{'a turn with reply':20} {spent / max(turns, 1) * 1e3:8.2f} ms")
    print(f"{'went wrong':20} {len(wrong):8,}")
    for what in wrong[:10]:
        print(f"  {what}")
    if wrong or ends["dead end"]:
        sys.exit(1)


if __name__ == "__main__":
    main()
