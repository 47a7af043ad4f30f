"""Paraphrases of what `nxtscape` must do, in three languages: kinds, follow-ups, hints, returns, new beginnings.

A row is what is said and, after a bar, what comes of it.
"""

from __future__ import annotations

import itertools
from functools import cache

from holdfast import Holdfast
from holdfast.session import Session
from tests.rows import every

FIRST = """\
Order toothpaste on Amazon|browse
go to amazon and order toothpaste|browse
Book me a table at Kumo for two|browse
find cheap flights to Oslo on Skyscanner|browse
log in to my bank and download the last statement|browse
fill in the contact form on example.com|browse
post this on reddit|browse
look up the weather in Oslo|browse
visit wikipedia.org|browse
I'd like to buy a new kettle|browse
could you renew my library books?|browse
reply to Anna's email|browse
subscribe to the newsletter|browse
pay my phone bill|browse
track my parcel on dhl.com|browse
Close all Google tabs|productivity
group my tabs by topic|productivity
pin this tab|productivity
how many tabs do I have open?|productivity
bookmark this page|productivity
sort tabs by domain|productivity
mute the YouTube tab|productivity
reopen the last closed tab|productivity
save these tabs to my reading list|productivity
switch to the calendar tab|productivity
clean up my bookmarks|productivity
move this tab to a new window|productivity
list all my open tabs|productivity
summarize these tabs|answer
summarise this article for me|answer
what does this page say about refunds?|answer
TL;DR|answer
translate this page into German|answer
who wrote this article?|answer
compare these two tabs|answer
explain the second paragraph on this page|answer
when was this article published?|answer
tell me what the video says about sleep|answer
what are the key points of this page?|answer
закажи пиццу на dodo.ru|browse
забронируй мне номер в отеле|browse
купи билеты в кино|browse
найди кроссовки на Ozon|browse
зайди на почту и ответь Анне|browse
скачай выписку с сайта банка|browse
закрой все вкладки с YouTube|productivity
сгруппируй вкладки по темам|productivity
сколько у меня открыто вкладок?|productivity
добавь эту страницу в закладки|productivity
переключись на вкладку с почтой|productivity
перескажи эту статью|answer
о чём эта страница?|answer
переведи эту страницу на английский|answer
что на этой странице написано про доставку?|answer
кто автор этой статьи?|answer
pide una pizza en Glovo|browse
resérvame una mesa para dos|browse
compra entradas para el cine|browse
busca vuelos baratos a Oslo|browse
entra en mi banco y descarga el extracto|browse
cierra todas las pestañas de YouTube|productivity
agrupa mis pestañas por tema|productivity
¿cuántas pestañas tengo abiertas?|productivity
guarda esta página en favoritos|productivity
cambia a la pestaña del correo|productivity
resume este artículo|answer
¿de qué trata esta página?|answer
traduce esta página al inglés|answer
¿qué dice esta página sobre las devoluciones?|answer
¿quién escribió este artículo?|answer
sign me up for the yoga class|browse
fetch my latest invoice from vodafone|browse
turn on notifications on my slack|browse
delete my old tweets|browse
see if there are any seats left for Saturday|browse
open the tab with my email|productivity
open my bookmarks|productivity
which tab is making noise|productivity
put the news tabs into a group called news|productivity
close everything except the docs|productivity
extract all the emails from this page|answer
pull the phone numbers off this page|answer
make a table of the prices in these tabs|answer
rewrite this article in plain english|answer
read this page to me|answer
запиши меня к врачу на госуслугах|browse
оплати счёт за интернет|browse
поменяй пароль на гитхабе|browse
узнай, где моя посылка|browse
убери лишние вкладки|productivity
открой вкладку с картами|productivity
сделай краткое содержание статьи|answer
apúntame a la clase de yoga|browse
paga la factura de la luz|browse
averigua dónde está mi paquete|browse
mándale un correo a Ana|browse
abre la pestaña del mapa|productivity
quita las pestañas que sobran|productivity
hazme un resumen|answer
pls buy me a new phone case on ebay|browse
log into my netflix|browse
sum this up for me|answer
выдели главное из этой статьи|answer
date de baja del boletín|browse
dame las ideas principales de este artículo|answer
order socks|browse
send flowers|browse
pide calcetines|browse
отправь цветы|browse""".splitlines()

HINT = """\
Get the blue one|choose
Take the cheapest|choose
the large tube please|choose
continue|continue
go on|continue
keep going|continue
please carry on|continue
Also add dental floss|extend
and a toothbrush too|extend
Actually, make it two|change
Make it mint instead|change
I'd rather have the organic one|change
Find the pricing info|look
Where is the delivery date?|look
Search for mouthwash|navigate
Go back|navigate
go to the checkout|navigate
возьми подешевле|choose
второй|choose
продолжай|continue
дальше|continue
добавь ещё зубную нить|extend
лучше мятную|change
найди цену|look
где указана доставка?|look
вернись назад|navigate
el más barato|choose
el segundo|choose
continúa|continue
sigue|continue
añade también hilo dental|extend
mejor de menta|change
encuentra el precio|look
¿dónde está la fecha de entrega?|look
vuelve atrás|navigate
the third|choose
keep on|continue
do the next step|continue
swap it for charcoal toothpaste|change
where can i see the price|look
давай продолжай|continue
agrega otro más|extend
he cambiado de opinión, la barata|change
¿dónde veo el precio?|look
number two|choose
I want the biggest|choose
номер два|choose
el número dos|choose""".splitlines()

WORD = """\
No, the other size|no
Wait, use the other card|wait
Change the quantity to two|change
Try a different brand|different
Stop, take the second result|stop
Forget the first one, take the large tube|forget
Actually, make it fluoride-free|actually
use the mint one instead|instead
нет, другой размер|нет
подожди, возьми вторую|подожди
no, otra talla|no
espera, toma la segunda|espera""".splitlines()

OTHER = """\
Close all Google tabs|productivity|new
summarize this page|answer|new
What does this article say about sleep?|answer|new
list my tabs|productivity|new
Bookmark this page|productivity|new
закрой вкладки YouTube|productivity|new
перескажи эту статью|answer|new
cierra las pestañas de YouTube|productivity|new
resume esta página|answer|new
Book a flight to Oslo|browse-follow-up|new
Закажи пиццу на dodo.ru|browse-follow-up|new
Reserva un vuelo a Oslo|browse-follow-up|new
start fresh|None|fresh
let's start over|None|fresh
never mind, start fresh|None|fresh
reset|None|fresh
forget everything|None|fresh
new task: close all tabs|productivity|fresh
начнём заново|None|fresh
забудь всё|None|fresh
empecemos de nuevo|None|fresh
olvídalo todo|None|fresh
thanks|browse-follow-up|continue
what about the mint one?|browse-follow-up|continue
how much does it cost?|browse-follow-up|continue
yes please|browse-follow-up|continue
the second one|browse-follow-up|continue
open the first result|browse-follow-up|continue
add it to the cart|browse-follow-up|continue
is it in stock?|browse-follow-up|continue
scroll down a bit|browse-follow-up|continue
click on the reviews|browse-follow-up|continue
close all the other tabs|productivity|new
what's this page about?|answer|new
find me a hotel in Rome|browse-follow-up|new
open gmail and check for mail from Bob|browse-follow-up|new
купи билеты на концерт|browse-follow-up|new
let's start from zero|None|fresh
fresh start please|None|fresh
давай сначала|None|fresh
с чистого листа|None|fresh
sort by price|browse-follow-up|continue
type 10115 in the zip code field|browse-follow-up|continue
finish the checkout|browse-follow-up|continue
отсортируй по цене|browse-follow-up|continue""".splitlines()

BACK = """\
go back to the toothpaste
let's return to the toothpaste order
back to toothpaste
resume the toothpaste
what about the toothpaste?
pick up the toothpaste again
continue with the Amazon order
where were we?
pick up where we left off
back to what we were doing
go back to the previous task
continue the earlier task
вернёмся к toothpaste
на чём мы остановились?
вернись к предыдущей задаче
¿dónde estábamos?
volvamos a la tarea anterior
finish the order
давай вернёмся к заказу
возобнови заказ
volvamos al pedido
can we return to what we were doing before
вернёмся к тому, что делали""".splitlines()

FOLLOW = {
    "Close all Google tabs": (
        "productivity",
        "Now close YouTube tabs too|and the news ones|reopen the last one|undo that|also mute Spotify|thanks|"
        "actually, only the docs ones|теперь и YouTube|y también las de YouTube",
    ),
    "Summarize this page": (
        "answer",
        "and what does it say about prices?|shorter please|who is the author?|in Spanish please|а что про цены?|"
        "¿y los precios?",
    ),
}
PLAN = ["Open Amazon", "Search for toothpaste", "Choose a toothpaste", "Add it to the cart", "Check out"]


@cache
def holdfast() -> Holdfast:
    return Holdfast(pack="nxtscape")


_ids = itertools.count()


def new() -> Session:
    return holdfast().session(f"s-{next(_ids)}")


def interrupted() -> Session:
    """A browse task that was interrupted at the search results."""
    chat = new()
    chat.hear("Order toothpaste on Amazon")
    chat.plan(PLAN)
    chat.step(1, "done")
    chat.step(2, "done")
    chat.interrupt("search results")
    return chat


@every("row", FIRST)
def test_the_kind_of_a_first_message_is_read(row: str) -> None:
    chat = new()
    said, kind = row.split("|")
    route = chat.hear(said).route
    assert (route.task_type, route.relation, route.follow_up) == (kind, "new", False)


@every("row", HINT)
def test_a_browse_follow_up_goes_to_the_planner_with_its_hint(row: str) -> None:
    shopping = interrupted()
    said, hint = row.split("|")
    route = shopping.hear(said).route
    assert (route.task_type, route.replan, route.agent) == ("browse-follow-up", True, "planner")
    assert route.previous_plan == tuple(PLAN)
    assert shopping.face.hint() == hint


@every("row", WORD)
def test_a_replan_word_is_recorded_as_the_reason(row: str) -> None:
    shopping = interrupted()
    said, word = row.split("|")
    route = shopping.hear(said).route
    assert (route.task_type, route.replan) == ("browse-follow-up", True)
    assert repr(word) in route.reason


@every("row", OTHER)
def test_other_kinds_new_goals_and_new_beginnings_are_told_from_follow_ups(row: str) -> None:
    shopping = interrupted()
    said, kind, relation = row.split("|")
    route = shopping.hear(said).route
    assert (str(route.task_type), route.relation) == (kind, relation)


@every("said", BACK)
def test_a_task_that_was_left_comes_back_with_its_plan(said: str) -> None:
    shopping = interrupted()
    shopping.hear("Close all Google tabs")
    shopping.say("Closed.")
    turn = shopping.hear(said)
    assert (turn.route.task_type, turn.route.relation, turn.route.agent) == ("browse-follow-up", "resume", "planner")
    assert turn.route.previous_plan == tuple(PLAN)
    assert "Order toothpaste on Amazon" in turn.indicator


@every(("first", "said"), [(first, said) for first in FOLLOW for said in FOLLOW[first][1].split("|")])
def test_follow_ups_of_other_kinds_go_straight_to_their_agent(first: str, said: str) -> None:
    chat = new()
    chat.hear(first)
    chat.say("Done.")
    route = chat.hear(said).route
    agent = FOLLOW[first][0]
    assert (route.agent, route.task_type, route.relation, route.follow_up) == (agent, agent, "continue", True)
    assert "classify" not in chat.face.path()
