"""Answers: what was replied to an agent stays known and is not asked again."""

from __future__ import annotations

import pytest

from holdfast import Holdfast, Session
from tests.rows import every


@pytest.fixture
def chat() -> Session:
    return Holdfast().session("s")


def answer(chat: Session, question: str, reply: str) -> str:
    chat.hear("hello there")
    chat.say(question)
    return chat.hear(reply).context


@pytest.mark.parametrize(
    ("question", "reply", "kept"),
    [
        ("How long will you stay?", "five days", "five days"),
        ("Do you prefer a hotel or an apartment?", "apartment, but not too expensive", "apartment"),
        ("What color?", "blue please", "blue"),
        ("Какой у вас бюджет?", "тысяч десять", "тысяч десять"),
        ("Как долго вы пробудете?", "пять дней", "пять дней"),
        ("¿Qué talla?", "la mediana", "mediana"),
        ("How old is she?", "she just turned 30", "she just turned 30"),
        ("How much time do you have?", "three hours", "three hours"),
        ("What time?", "7:30", "7:30"),
        ("What should the reminder say?", "call Bob", "call Bob"),
        ("For when?", "tomorrow at 9", "tomorrow at 9"),
        ("Are you allergic to anything?", "penicillin", "penicillin"),
        ("Did you take any medication?", "yes, ibuprofen", "yes, ibuprofen"),
        ("Do you have a fever?", "I don't think so", "I don't think so"),
        ("Какая диагональ экрана?", "15", "15"),
        ("К какому врачу?", "к терапевту", "к терапевту"),
        ("Ваш телефон?", "8 916 123-45-67", "8 916 123-45-67"),
        ("¿Con leche?", "no, gracias", "no"),
    ],
)
def test_what_was_answered_is_told_from_then_on(chat: Session, question: str, reply: str, kept: str) -> None:
    answer(chat, question, reply)
    assert f"Already answered: {question} {kept}" in chat.hear("and what else do we need to think of today?").context


@pytest.mark.parametrize(
    ("question", "reply", "kept"),
    [
        ("Do you prefer hotels or apartments?", "the latter", "apartments"),
        ("What does she like: books, music or sports?", "the first two", "books, music"),
        ("What does she like: books, music or sports?", "music and sports", "music, sports"),
        ("Would you like tea or coffee?", "both", "tea, coffee"),
        ("White or green?", "not white", "green"),
        ("Which color: black, white or green?", "not black", "not black"),
        ("Which color: black, white or green?", "something darker", "something darker"),
        ("128 or 256 GB?", "256", "256 GB"),
        ("Formal or friendly tone?", "either is fine", "either is fine"),
        ("If you had to choose, Paris or Rome?", "Rome", "Rome"),
        ("Which size: 512 GB, 1 TB or 2 TB?", "the middle one", "1 TB"),
        ("Do you want reminders by email or text?", "text", "text"),
        ("Do you need Windows or a Mac?", "doesn't matter", "doesn't matter"),
        ("¿Pequeño, mediano o grande?", "el del medio", "mediano"),
        ("В 9:00 или в 10:30?", "первый вариант", "9:00"),
        ("Чай, кофе или сок?", "последний", "сок"),
        ("Утром или вечером?", "лучше утром", "Утром"),
        ("¿Verde o negro?", "el segundo", "negro"),
        ("¿Vino tinto, blanco o rosado?", "los dos primeros no, el último", "rosado"),
    ],
)
def test_options_are_taken_by_place_by_name_and_several_at_once(
    chat: Session, question: str, reply: str, kept: str
) -> None:
    assert f"Already answered: {question} {kept}]" in answer(chat, question, reply)


@pytest.mark.parametrize(
    ("question", "reply", "kept"),
    [
        ("Which position?", "data engineer. wait, senior data engineer", "senior data engineer"),
        ("Which day?", "Tuesday, no, Wednesday", "Wednesday"),
        ("Какая диагональ экрана?", "14, нет, лучше 15", "15"),
        ("¿Para cuándo la necesitas?", "para el sábado, digo, el domingo", "domingo"),
    ],
)
def test_of_an_answer_that_repairs_itself_the_last_word_counts(
    chat: Session, question: str, reply: str, kept: str
) -> None:
    assert f"Already answered: {question} {kept}]" in answer(chat, question, reply)


@pytest.mark.parametrize(
    "said", ["thanks!", "hello there", "what do you mean?", "расскажи о второй", "cuéntame más", "show me more"]
)
def test_a_courtesy_or_a_question_answers_nothing(chat: Session, said: str) -> None:
    assert answer(chat, "What color?", said) == ""


@pytest.mark.parametrize("offer", ["How can I help you?", "Чем помочь?", "¿Qué necesitas?", "What's up?"])
def test_a_question_that_waits_for_nothing_keeps_no_answer(chat: Session, offer: str) -> None:
    assert "Already answered" not in answer(chat, offer, "good morning everybody")
    assert chat.state.questions.open == ()


def test_what_a_slot_took_is_not_told_twice(chat: Session) -> None:
    context = answer(chat, "What is your name?", "Dana")
    assert context == "[CONTEXT: User's name: Dana]"


def test_a_yes_is_over_when_it_is_said(chat: Session) -> None:
    assert "Already answered" not in answer(chat, "Shall I book it?", "yes please")


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("actually we'll stay a week, not five days", "a week"),
        ("not five days, a whole week", "whole week"),
        ("change it from five days to two weeks", "two weeks"),
    ],
)
def test_a_correction_changes_the_answer(chat: Session, said: str, now: str) -> None:
    answer(chat, "How long will you stay?", "five days")
    turn = chat.hear(said)
    assert f"How long will you stay? {now}" in turn.context
    assert any("was five days" in line.what for line in turn.receipt.did("superseded"))


@pytest.mark.parametrize(
    ("question", "reply", "said", "now"),
    [
        ("To which address?", "221B Baker Street, London", "sorry, 221A", "221A Baker Street, London"),
        ("Do you want it in English or German?", "German please", "hmm make it English instead", "English"),
        ("For how many people?", "4", "yes but make it 5 people", "5"),
        ("What is the deadline?", "Friday", "no wait, Thursday", "Thursday"),
        ("Do you want reminders by email or text?", "text", "on second thought, email", "email"),
        ("Доставка или самовывоз?", "доставка", "хотя нет, самовывоз", "самовывоз"),
        ("В 9:00 или в 10:30?", "первый вариант", "ой, нет, давай второй", "10:30"),
        ("На какой день?", "на четверг", "извините, на пятницу", "пятницу"),
        ("¿A qué hora te lo preparo?", "a las cinco", "mejor a las seis", "las seis"),
    ],
)
def test_a_correction_that_names_nothing_old_is_about_what_was_just_answered(
    chat: Session, question: str, reply: str, said: str, now: str
) -> None:
    answer(chat, question, reply)
    chat.say("All right.")
    assert f"{question} {now}]" in chat.hear(said).context


@pytest.mark.parametrize(
    "said",
    [
        "no thanks",
        "sorry, what did you say?",
        "actually, I like that place",
        "no, that is all",
        "make it so",
        "no, actually, we will see",
    ],
)
def test_what_only_sounds_like_a_correction_changes_no_answer(chat: Session, said: str) -> None:
    answer(chat, "What is the deadline?", "Friday")
    chat.say("All right.")
    assert "What is the deadline? Friday]" in chat.hear(said).context


def test_a_correction_is_about_the_answer_and_not_about_an_older_question(chat: Session) -> None:
    chat.hear("I need a present")
    chat.say("How old is she?")
    chat.hear("let me think about that for a while please")
    chat.say("To which address?")
    chat.hear("12 Hill Road")
    chat.say("Thanks.")
    assert "To which address? 14 Hill Road" in chat.hear("sorry, 14").context
    assert "How old is she?" not in chat.hear("and what else do we need to think of today?").context


def test_a_number_that_corrects_itself_stays_with_its_own_question(chat: Session) -> None:
    answer(chat, "Какой у вас бюджет?", "тысяч 80")
    chat.say("Какая диагональ экрана?")
    context = chat.hear("14, нет, лучше 15").context
    assert "бюджет? тысяч 80;" in context
    assert "экрана? 15]" in context


def test_a_refusal_of_something_else_changes_no_answer(chat: Session) -> None:
    answer(chat, "How long will you stay?", "five days")
    assert "five days" in chat.hear("we have no car, not even bicycles").context


def test_an_agent_that_asks_again_is_told_the_answer(chat: Session) -> None:
    answer(chat, "How long will you stay?", "five days")
    verdict = chat.check("Good. How long will you stay?")
    assert not verdict.allowed
    assert verdict.instead == "You already told me: five days."
    assert chat.check("How long does the flight take?").allowed


def test_answers_can_be_cleared_and_are_bounded(chat: Session) -> None:
    for number in range(13):
        answer(chat, f"What is the size of box {number}?", f"{number} boxes high")
    assert len(chat.state.answers.kept) == 10
    chat.clear("answers")
    assert chat.state.answers.kept == ()


def test_which_one_is_another_question_for_every_list(chat: Session) -> None:
    chat.hear("any thai places?")
    chat.say("1. **Siam** 2. **Erawan**. Which one?")
    chat.hear("the second one")
    chat.hear("any pizza places?")
    assert chat.check("1. **Luigi** 2. **Mario**. Which one?").allowed


@pytest.mark.parametrize("said", ["why?", "stop asking", "ask again", "try again", "scroll up"])
def test_what_is_no_answer_moves_nobody(chat: Session, said: str) -> None:
    chat.hear("I live in Lyon")
    chat.say("Which city are you in?")
    chat.hear(said)
    assert chat.state.slots.get("location") == "Lyon"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What should the reminder say?", "never mind"),
        ("О чём напомнить?", "ладно, забудь"),
        ("¿Qué digo en el recordatorio?", "no importa"),
    ],
)
def test_what_is_let_go_is_no_longer_waited_for(chat: Session, question: str, said: str) -> None:
    assert answer(chat, question, said) == ""
    assert chat.state.questions.open == ()


def test_an_answer_is_a_fact_of_its_question_and_of_nothing_else() -> None:
    chat = Holdfast().session("s", user="u")
    for question, reply in (
        ("Which color: black, white or green?", "not black"),
        ("Do you want the letter in English or German?", "German"),
    ):
        chat.say(question)
        chat.hear(reply)
    chat.hear("hmm make it English instead")
    chat.hear("never mind")
    assert [(item.question[:8], item.value) for item in chat.memory.items()] == [
        ("Which co", "not black"),
        ("Do you w", "English"),
    ]
    chat.say("Which package manager do you use?")
    chat.hear("I use pnpm")
    assert [(item.slot, item.value) for item in chat.memory.preferences()] == [("tooling/package_manager", "pnpm")]
    assert [known.answer for known in chat.state.answers.kept] == ["not black", "English", "pnpm"]
    assert [item.value for item in Holdfast().session("other", user="u").memory.items()] == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Do you have a fever?", "I don't know"),
        ("When does she leave?", "not sure yet"),
        ("Когда она уезжает?", "пока не знаю"),
        ("¿Cuándo se va?", "no lo sé"),
        ("How old is she?", "let me think"),
        ("Какой номер дома?", "секунду"),
        ("¿Qué talla?", "déjame ver"),
    ],
)
def test_who_does_not_know_leaves_the_question_open(chat: Session, question: str, said: str) -> None:
    assert answer(chat, question, said) == ""
    assert [waiting.text for waiting in chat.state.questions.open] == [question]


def test_a_number_at_the_end_of_a_sentence_begins_no_list(chat: Session) -> None:
    chat.say("Your flight is on 14 March at 15:20. Confirm?")
    assert [waiting.text for waiting in chat.state.questions.open] == ["Confirm?"]


def test_a_number_or_an_ordinal_answers_where_nothing_else_can_be_meant(chat: Session) -> None:
    assert "Which floor is it on? 3]" in answer(chat, "Which floor is it on?", "3")
    assert "Which floor is it on? second]" in answer(chat, "Which floor is it on?", "the second")
    chat.say("1. **Osteria** 2. **Vedge** 3. **Zahav**")
    chat.say("Which floor is it on?")
    assert [e.name for r in chat.hear("the second").references for e in r.entities] == ["Vedge"]


def test_a_refusal_in_words_is_a_no(chat: Session) -> None:
    answer(chat, "Забронировать столик?", "не надо")
    assert chat.state.questions.answer.yes is False


def test_what_was_just_asked_goes_before_what_was_asked_earlier(chat: Session) -> None:
    answer(chat, "What's on Monday?", "I have to look that up, one moment")
    chat.say("Tuesday?")
    assert "Tuesday? nothing so far" in chat.hear("nothing so far").context
    chat.say("And Wednesday?")
    assert (
        "And Wednesday? dentist at 10 and gym in the evening"
        in chat.hear("dentist at 10 and gym in the evening").context
    )


def test_a_question_about_older_things_keeps_its_answer_where_the_newest_one_wants_a_yes(chat: Session) -> None:
    chat.hear("I'd like a cheesesteak")
    chat.say("Which bread do you like? Shall I order it right away?")
    assert "Which bread do you like? sourdough" in chat.hear("sourdough").context


@pytest.mark.parametrize(
    "question",
    [
        "A table for two on Friday. Is that correct?",
        "Do you confirm?",
        "How does this sound?",
        "Всё верно?",
        "¿Es correcto?",
    ],
)
def test_a_confirmation_may_be_asked_for_again(chat: Session, question: str) -> None:
    assert "Already answered" not in answer(chat, question, "yes")
    assert chat.check(question).allowed


@pytest.mark.parametrize("said", ["No, show me more", "On second thought make it the 1st of this month"])
def test_an_order_or_a_time_does_not_say_where(chat: Session, said: str) -> None:
    answer(chat, "And what is your destination?", "the old harbour")
    chat.say("All right.")
    assert chat.hear(said).receipt.did("superseded") == []


@pytest.mark.parametrize(
    "asked", ["Tuesday? Wednesday?", "What colour? What size?", "Shall I book it? Shall I call them?"]
)
def test_two_questions_of_one_reply_wait_both(chat: Session, asked: str) -> None:
    chat.say(asked)
    assert len(chat.state.questions.open) == 2
    chat.say(asked)
    assert len(chat.state.questions.open) == 2  # asked again, they are the same


def test_a_question_with_a_number_is_no_answer(chat: Session) -> None:
    assert answer(chat, "How many tickets do you want?", "are there zero transfers?") == ""


@pytest.mark.parametrize(
    ("question", "given", "said"),
    [
        ("What is your phone number?", "555 0199", "oh no, I forgot my keys"),
        ("What is your phone number?", "555 0199", "no wait, Friday doesn't work"),
        ("Ваш телефон для связи?", "+7 916 123-45-67", "ой нет, в среду не могу, давайте в пятницу"),
        ("¿Tu teléfono?", "612 345 678", "perdón, el viernes no puedo"),
        ("What street do you live in?", "Baker Street", "no, I can't come on Friday"),
    ],
)
def test_words_of_another_kind_do_not_take_the_place_of_an_answer(
    chat: Session, question: str, given: str, said: str
) -> None:
    answer(chat, question, given)
    assert given in chat.hear(said).context


def test_a_question_about_another_option_changes_no_answer(chat: Session) -> None:
    answer(chat, "Would you like tea or coffee?", "tea")
    assert "coffee? tea" in chat.hear("wait, what about coffee, is it strong?").context
    assert "coffee? coffee" in chat.hear("no wait, coffee").context


def test_an_ok_is_no_answer_to_what_was_asked_long_ago(chat: Session) -> None:
    chat.say("Do you want hotel suggestions as well?")
    for text in ("first tell me about the grove", "how do I get there", "is it free"):
        chat.hear(text)
        chat.say("It is in the west of the city.")
    assert "hotel" not in chat.hear("ok, thanks").context


def test_what_says_which_other_thing_it_changes_changes_no_answer(chat: Session) -> None:
    answer(chat, "На какое число доставить?", "на 7-е")
    assert "7-е" in chat.hear("а, и вместо книги давайте лучше сертификат").context


def test_a_reply_without_an_address_is_kept_as_an_answer_and_not_as_an_address(chat: Session) -> None:
    told = answer(chat, "Which email address should I use?", "same as in my account")
    assert "User's email" not in told
    assert "same as in my account" in told
    chat.say("And which email address is that?")
    assert "User's email: ana@example.com" in chat.hear("ana@example.com").context


@pytest.mark.parametrize("said", ["first time I hear of it", "первый раз слышу", "es la primera vez que lo oigo"])
def test_an_ordinal_that_counts_no_options_takes_none(chat: Session, said: str) -> None:
    chat.say("1. **Osteria** 2. **Vedge** 3. **Zahav**. Which one do you prefer?")
    assert not chat.hear(said).references


@every(
    "question, reply, slot",
    [
        ("Where are you based?", "Leeds", "home"),
        ("¿Dónde vives?", "en Rosario", "home"),
        ("Откуда пишете?", "из Кемерово", "home"),
        ("¿De dónde eres?", "de Arequipa", "origin"),
        ("¿Dónde trabajas?", "en el Mercadona de Getafe", "employer"),
        ("How much do you want to spend?", "no more than 1500 euros", "budget"),
        ("How do you want the answers?", "short and no emoji", "style"),
        ("¿Cómo prefieres las respuestas?", "cortas y sin rodeos", "style"),
        ("Where should we meet?", "Leeds", "location"),
        ("Where?", "philly", "location"),
        ("What size?", "not too big", "answer"),
    ],
)
def test_what_an_answer_is_a_value_of_is_what_question_and_words_speak_for(
    question: str, reply: str, slot: str
) -> None:
    chat = Holdfast().session("s", user="u")
    answer(chat, question, reply)
    known = [item.slot for item in (*chat.memory.facts(), *chat.memory.preferences())]
    assert [one.partition("/")[0] for one in known] == [slot]


@every(
    ("told", "question", "reply", "slot", "known"),
    [
        ("I live in Dublin", "Where would you like to go?", "Ghent", "home", "Dublin"),
        ("my name is Karthik", "What's the brand name for the bot?", "Jaggery Lane", "name", "Karthik"),
        ("I'm a database engineer", "Who's Rupert?", "Enterprise architect, London", "role", "database engineer"),
        ("my name is Orla", "Your full name?", "Orla Keaveny", "name", "Orla Keaveny"),
        ("my budget is 700", "What is your budget now?", "800 euros", "budget", "800 euros"),
    ],
)
def test_an_answer_replaces_what_is_known_of_somebody_only_where_it_was_asked_for(
    told: str, question: str, reply: str, slot: str, known: str
) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.hear(told)
    chat.say(question)
    chat.hear(reply)
    assert [item.value for item in chat.memory.facts() if item.slot == slot] == [known]
    assert reply == known or reply in [answer.answer for answer in chat.state.answers.kept]


@every(
    ("question", "reply", "answered"),
    [
        ("Shall I put the kickoff in the calendar?", "the twentieth of November. they said the 13th", "twentieth"),
        ("What are the monthly amounts?", "take home 2650. rent 600. bus 106. food 300 phone 45", "take home 2650"),
        ("¿Quiere que le recuerde a alguna hora?", "despues de las 4 cuando ya cierre", "despues de las 4"),
    ],
)
def test_an_answer_is_kept_whatever_else_its_message_tells_and_where_more_than_a_yes_is_said(
    question: str, reply: str, answered: str
) -> None:
    chat = Holdfast(pack="general").session("s", user="u")
    chat.say(question)
    chat.hear(reply)
    assert any(answered in one.answer for one in chat.state.answers.kept if one.question == question)


def test_an_offer_that_was_answered_in_words_may_be_made_again(chat: Session) -> None:
    assert "Already answered" in answer(chat, "Shall I put it in the calendar?", "the twentieth of November")
    assert chat.check("Shall I put it in the calendar?").allowed
