"""A job finder in one file: two roles of a place (where one lives, where the work is), pay, and kinds of work.

    holdfast chat --pack examples/job_finder.py

"I live in Boston, show me jobs in Austin" fills both places; "there" takes the newer of them over.
"""

from collections.abc import Iterable

from holdfast import Pack
from holdfast.faculties.conversation import ConversationFaculty
from holdfast.faculties.facts.slots import Found, Slot, SlotsFaculty
from holdfast.faculties.facts.slots.readers import (
    asked_place,
    cued,
    email,
    home,
    person,
    person_answer,
    place,
    place_answer,
)
from holdfast.faculties.questions.pending import QuestionsFaculty
from holdfast.faculties.references.faculty import ReferencesFaculty
from holdfast.reading.reader import Reading
from holdfast.reading.tables import parse

WORDS = (
    parse(
        "jobs.en.toml",
        "en",
        r"""
        [trade]
        trade = '(?P<value>nurse|teacher|cook|driver|welder|electrician|accountant|(?:software )?engineer)s?'

        [kind]
        kind = '(?P<value>full[- ]time|part[- ]time|remote|hybrid|night shifts?|internship)'

        [pay]
        least = '(?:at least|from|over|more than|minimum) \$? ?(?P<value>\d{2,3}) ?k'
        """,
    ),
    parse(
        "jobs.ru.toml",
        "ru",
        r"""
        [trade]
        trade = '(?P<value>медсестр|учител|повар|водител|сварщик|электрик|бухгалтер|дизайнер|инженер)[а-я]{0,3}'

        [kind]
        kind = '(?P<value>полный день|неполный день|удаленно|удаленка|стажировка)'

        [pay]
        least = '(?:от|не меньше|минимум) (?P<value>\d{2,3}) ?(?:тысяч|тыс|к)'
        """,
    ),
)


def pay(reading: Reading) -> Iterable[Found]:
    """A reader of one's own: the amount in thousands, told in full."""
    return [Found(f"{reading.words(c.groups['value'])},000", c.span, c.id) for c in reading.all("pay")]


WHERE = asked_place("where")  # in the reply to "where?" any place is the one

PACK = Pack(
    name="jobs",
    summary="Finds work",
    instructions="You find jobs. Never ask for what the context line says.",
    faculties=(
        ConversationFaculty(),
        QuestionsFaculty(),
        ReferencesFaculty(kind="job", item="job", recent_label="Jobs shown", id_label="Job ID", place="work_in"),
        SlotsFaculty(
            Slot("name", "Name", person, asked="name", answer=person_answer),
            Slot("email", "Email", email, asked="email"),
            Slot("lives_in", "Lives in", home),
            Slot("trade", "Trade", cued("trade"), lower=True, topic=lambda trade: trade),
            Slot(
                "work_in", "Work in", place("in", "near"), asked="where", answer=place_answer, meets=WHERE, doubt=True
            ),
            Slot("kind", "Kind", cued("kind"), lower=True, many=True, survives=False),
            Slot("pay", "Pay from", pay),
        ),
    ),
    tables=WORDS,
)
