"""Paraphrases of what `grace` must do, in three languages: libraries in code, overrides, rules, revisions.

A row is what is said and, after a bar, what comes of it.
"""

from __future__ import annotations

import itertools
from functools import cache

from holdfast import Holdfast
from holdfast.faculties.facts.preferences import preferences
from holdfast.session import Session
from tests.rows import every

DRAWN = "from PIL import Image, ImageDraw\nim = Image.new('RGB', (9, 9))\nImageDraw.Draw(im)\nim.save('a.png')"

CODE: list[tuple[str, str | None, str | None]] = [
    ("from PIL import Image; im = Image.open('a.png')", "Pillow", "high"),
    ("import PIL.Image as I\nI.new('RGB',(9,9))", "Pillow", "high"),
    ("from matplotlib import pyplot as plt\nplt.bar([1],[2])", "matplotlib", "high"),
    ("import matplotlib.pyplot as p\np.plot([1])", "matplotlib", "high"),
    ("from matplotlib import pyplot", "matplotlib", "medium"),
    ("import pandas", "pandas", "medium"),
    ("import pandas\npandas.DataFrame({})", "pandas", "high"),
    ("from pandas import DataFrame\nDataFrame({'a':[1]})", "pandas", "high"),
    ("# pip install python-docx\nfrom docx import Document\nDocument()", "python-docx", "high"),
    ("from docx import Document", "python-docx", "medium"),
    ("import docx\nd = docx.Document()", "python-docx", "high"),
    ("from openpyxl import load_workbook\nwb = load_workbook('a.xlsx')", "openpyxl", "high"),
    ("from openpyxl import load_workbook", "openpyxl", "medium"),
    ("import xlsxwriter\nwb = xlsxwriter.Workbook('a.xlsx')", "openpyxl", "high"),
    ("import xlsxwriter", "openpyxl", "medium"),
    ("import seaborn as sns", "seaborn", "medium"),
    ("from fpdf import FPDF\np=FPDF()", "fpdf", "high"),
    ("import plotly.express as px\npx.bar(x=[1],y=[2])", "plotly", "high"),
    ("from pptx import Presentation\nPresentation()", "python-pptx", "high"),
    ("import cairo\ncairo.ImageSurface(0,1,1)", "cairo", "high"),
    ("const Chart = require('chart.js'); new Chart(ctx, {})", "Chart.js", "high"),
    ("import * as d3 from 'd3'; d3.select('svg')", "D3", "high"),
    ("from PIL import Image\nimport matplotlib.pyplot as plt\nImage.new('RGB',(1,1))\nplt.plot([1])", "Pillow", "high"),
    ("from PIL import Image\nimport matplotlib.pyplot as plt\nplt.plot([1])", "matplotlib", "high"),
    ("print('hello')", None, None),
    ("x = 'import pandas'", None, None),
    ("import numpy as np\nnp.zeros(3)", None, None),
]

KEEP = """\
Add a blue square
make it 3 instead of 1
change to red
change it to blue
make the circle green instead
I'd rather have it on the left
move it to the right instead
use a thicker line instead
switch to a darker background
switch the colours
change to landscape
use Arial instead of Times
rather bigger please
use 5 stars instead of 3
instead of a circle draw a star
put the title in bold instead
use the word "matplotlib" as the title
why did you use Pillow?
is Pillow good?
what is pandas?
make it different from the last one
add a different colour
try another colour
use a new title
let's try a different font
forget the square
forget about the border
drop the shadow
make two versions
сделай 3 вместо 1
измени на красный
лучше слева
вместо круга нарисуй звезду
используй шрифт Arial
сделай фон темнее
попробуй другой цвет
почему ты взял Pillow?
haz 3 en lugar de 1
cambia a rojo
mejor a la izquierda
en vez de un círculo dibuja una estrella
usa la fuente Arial
prueba otro color
¿por qué usaste Pillow?
no need to switch to matplotlib
don't switch to pandas
please do not use a different library
keep it in Pillow but change the colours
draw two pandas eating bamboo instead of one
matplotlib crashed on my machine yesterday
write a section comparing plotly and seaborn
the new approach section needs a heading
rename the chapter to "A different approach"
make a new version with more contrast
swap the red and the blue
replace the word draft with final
не меняй библиотеку
а чем Pillow отличается от matplotlib?
верни как было
no cambies de librería
quiero algo más colorido
how about green?
replace it with a star
give it a try with red
a version without the border
make it a square
can it be done in red?
use a colour like teal
может, поярче?
пусть будет синим
¿qué tal verde?
que sea azul""".splitlines()

OVR = """\
Use matplotlib instead|matplotlib
Switch to pandas|pandas
Rather use openpyxl|openpyxl
Forget Pillow, use matplotlib|matplotlib
use matplotlib|matplotlib
redo it in matplotlib|matplotlib
let's go with plotly|plotly
swap Pillow for cairo|cairo
replace Pillow with matplotlib|matplotlib
I want this done with seaborn|seaborn
please do the same thing but with plotly|plotly
could you do this using matplotlib?|matplotlib
change to matplotlib please|matplotlib
I'd prefer plotly|plotly
how about using matplotlib instead?|matplotlib
matplotlib would be better|matplotlib
can you redo that with reportlab|reportlab
convert the code to plotly|plotly
rewrite everything in matplotlib|matplotlib
go for seaborn this time|seaborn
use matplotlib for this one|matplotlib
stop using Pillow and use matplotlib|matplotlib
instead of Pillow use plotly|plotly
используй matplotlib вместо этого|matplotlib
перейди на pandas|pandas
давай лучше на plotly|plotly
переделай через matplotlib|matplotlib
замени Pillow на cairo|cairo
хочу на seaborn|seaborn
можно то же самое, но в plotly?|plotly
usa matplotlib en su lugar|matplotlib
cambia a pandas|pandas
mejor usa plotly|plotly
rehazlo con matplotlib|matplotlib
reemplaza Pillow por cairo|cairo
lo quiero en seaborn|seaborn
¿puedes hacerlo con plotly?|plotly
not pillow, cairo|cairo
I think matplotlib is better for this, use it|matplotlib
actually I'd rather you used matplotlib|matplotlib
no, with matplotlib|matplotlib
change Pillow to matplotlib|matplotlib
stop with Pillow, do matplotlib|matplotlib
forget about PIL, let's do plotly|plotly
could it be done in cairo instead?|cairo
why not use matplotlib?|matplotlib
what if you used matplotlib instead?|matplotlib
i need this in matplotlib|matplotlib
alright, matplotlib it is|matplotlib
go matplotlib|matplotlib
i'd like to see this done in plotly|plotly
same picture, but made with cairo|cairo
rebuild it w/ matplotlib|matplotlib
do a matplotlib version|matplotlib
give me a plotly version of this|plotly
can't you use matplotlib?|matplotlib
нет, через matplotlib|matplotlib
я бы предпочёл plotly|plotly
а можно на seaborn?|seaborn
давай на матплотлибе|matplotlib
хочу чтобы ты использовал matplotlib|matplotlib
теперь plotly|plotly
надо переписать на matplotlib|matplotlib
пусть будет matplotlib|matplotlib
нужна версия на plotly|plotly
no, con matplotlib|matplotlib
¿se puede con seaborn?|seaborn
que sea con seaborn|seaborn
necesito una versión en plotly|plotly
it must be plotly|plotly
swap to matplotlib|matplotlib
please rewrite it for matplotlib|matplotlib
how about matplotlib?|matplotlib
matplotlib would work better|matplotlib
could you swap Pillow out for cairo?|cairo
replace it with a matplotlib drawing|matplotlib
this would look nicer in seaborn|seaborn
give plotly a shot|plotly
use the library plotly|plotly
use a library like plotly|plotly
может, matplotlib?|matplotlib
замени библиотеку на matplotlib|matplotlib
попробуй через seaborn|seaborn
¿y si usas matplotlib?|matplotlib
¿qué tal matplotlib?|matplotlib
me gustaría con seaborn|seaborn
reemplaza la librería por matplotlib|matplotlib""".splitlines()

APP = """\
Try a different approach|0
Use a different library|0
use another tool|0
a new approach please|0
let's take another approach|0
do it some other way|0
can you use a different method|0
попробуй другой подход|0
возьми другую библиотеку|0
давай другим способом|0
prueba otro enfoque|0
usa otra biblioteca|0
hazlo de otra manera|0
can we try something different|1
try something else|1
do something different|1
попробуй что-нибудь другое|1
prueba algo diferente|1
let's go a different way with this|0
any other library would be fine|0
use whatever other library you like|0
how about another approach?|0
давай сменим библиотеку|0
busca otra forma de hacerlo|0
try something else entirely|1
how about something different?|1
can we go about it differently|1
сделай это по-другому|1
сделай как-нибудь иначе|1""".splitlines()

REJ = """\
don't use Pillow
not Pillow please
stop using Pillow
no more Pillow
without Pillow
avoid PIL
не используй Pillow
только не Pillow
без Pillow
no uses Pillow
sin Pillow
nada de Pillow
I don't want you to use Pillow
I hate Pillow, don't use it
leave Pillow out of this
i'm done with Pillow
Pillow is not allowed here
we can't use PIL at work
Pillow не подходит
Pillow no, por favor
prescinde de Pillow
nada con Pillow
не используй больше Pillow
Pillow больше не используй
no uses más Pillow""".splitlines()

FU = """\
make it 3 stars|1
Make that document more romantic|1
change the file|1
update the spreadsheet|1
put those at the end|1
What is the capital of France?|0
Edit title|0
Write about bitter items|0
Add a section|0
thistle and thatch|0""".splitlines()

REV = """\
add a title|revision
update the picture|revision
edit it|revision
revise the image|revision
insert a line|revision
remove the circle|revision
rename it|revision
make it bigger|revision
make the circle bigger|revision
can you make it bigger?|revision
could you add a border to it?|revision
Create an image with a red circle|creation
make a new picture of a cat|creation
write an essay about love|creation
can you make pictures?|question
can you create charts?|question
добавь заголовок|revision
измени картинку|revision
сделай его больше|revision
убери круг|revision
создай новую картинку|creation
напиши эссе о любви|creation
añade un título|revision
cambia la imagen|revision
hazlo más grande|revision
quita el círculo|revision
crea una imagen nueva|creation
escribe un ensayo sobre el amor|creation
the circle should be bigger|revision
it needs a border|revision
crop it|revision
and now a yellow triangle|revision
i want the title bold|revision
round the corners|revision
the font is too small|revision
there's a typo in the heading|revision
bigger please|revision
a bit more to the left|revision
write one more paragraph|revision
draw another circle|revision
put my logo in the corner|revision
a PDF invoice for Acme, please|creation
could you draw a cat|creation
new document please|creation
write a poem about rain|creation
please make me a bar chart|creation
what can you draw?|question
what file types can you make?|question
круг должен быть больше|revision
сделай текст крупнее|revision
шрифт слишком мелкий|revision
побольше|revision
подвинь круг правее|revision
нарисуй дом|creation
можешь нарисовать кота?|creation
мне нужен документ про вулканы|creation
el círculo debería ser más grande|revision
la letra es demasiado pequeña|revision
más grande|revision
dibuja una casa|creation
escribe un poema sobre la lluvia|creation
¿qué archivos puedes crear?|question
I want it rotated|revision
the square is in the wrong place|revision
one more star|revision
take out the star|revision
we need a new chart of visitors|creation
квадрат не на месте|revision
otra estrella más|revision
menos texto|revision""".splitlines()

PIN = """\
always use plotly for charts|pin chart plotly
from now on use seaborn for all charts|pin chart seaborn
never use fpdf|ban fpdf
don't ever use matplotlib again|ban matplotlib
I always want openpyxl for spreadsheets|pin xlsx openpyxl
всегда используй plotly для графиков|pin chart plotly
никогда не используй fpdf|ban fpdf
siempre usa plotly para los gráficos|pin chart plotly
nunca uses fpdf|ban fpdf
no vuelvas a usar fpdf nunca|ban fpdf
I prefer seaborn for charts|pref chart seaborn
my favourite library for charts is plotly|pref chart plotly
я предпочитаю seaborn для графиков|pref chart seaborn
prefiero seaborn para gráficos|pref chart seaborn
from now on, charts with plotly only|pin chart plotly
I never want to see fpdf again|ban fpdf
please never use pandas|ban pandas
i like plotly best for charts|pref chart plotly
every pdf should be made with reportlab|pin pdf reportlab
no uses nunca fpdf|ban fpdf""".splitlines()

PROSE = (
    "I used matplotlib for this chart.",
    "You could use pandas (plt.plot) for that",
    "We import ideas from PIL and others.",
)


@cache
def holdfast() -> Holdfast:
    return Holdfast(pack="grace")


_ids = itertools.count()


def new() -> Session:
    name = f"s-{next(_ids)}"
    return holdfast().session(name, user=name)


def picture() -> Session:
    """A picture that was made with Pillow."""
    chat = new()
    chat.hear("Create an image with a red circle")
    chat.say("Done.", code=DRAWN, files=["a.png"])
    return chat


@every(("code", "library", "confidence", "shown"), [(*row, shown) for row in CODE for shown in (False, True)])
def test_libraries_are_found_in_code(code: str, library: str | None, confidence: str | None, shown: bool) -> None:
    chat = new()
    chat.hear("do it")
    if shown:
        chat.say(f"Here it is:\n```\n{code}\n```")
    else:
        chat.say("Done.", code=code)
    chat.hear("Add a blue square")
    found = chat.face.detect() or {}
    assert (found.get("library"), found.get("confidence")) == (library, confidence)


@every("said", PROSE)
def test_prose_is_no_evidence(said: str) -> None:
    chat = new()
    chat.hear(said)
    chat.say(said)
    chat.hear("Add a blue square")
    assert chat.face.detect() is None


@every("said", KEEP)
def test_attributes_and_questions_leave_the_library(said: str) -> None:
    drawn = picture()
    system = drawn.hear(said).system
    assert "Used Pillow/PIL to create image files (Confidence: high)" in system
    assert "you SHOULD use the SAME" in system


@every("row", OVR)
def test_a_request_for_another_library_takes_the_guidance_away(row: str) -> None:
    drawn = picture()
    said, library = row.split("|")
    turn = drawn.hear(said)
    assert "PREVIOUS IMPLEMENTATION" not in turn.system
    assert drawn.face.override()["requested"] == library
    assert drawn.face.routing()["previousImplementation"] is None
    assert drawn.face.specialist()["previousImplementation"] is None


@every("row", APP)
def test_another_approach_frees_the_choice_and_something_else_asks_first(row: str) -> None:
    drawn = picture()
    said, open_ = row.split("|")
    turn = drawn.hear(said)
    if open_ == "1":
        assert "you CONSIDER" in turn.system
        assert turn.question
    else:
        assert "PREVIOUS IMPLEMENTATION" not in turn.system
        assert drawn.face.override()["kind"] == "approach"


@every("said", REJ)
def test_a_refused_library_is_named_as_not_to_be_used(said: str) -> None:
    drawn = picture()
    system = drawn.hear(said).system
    assert "PREVIOUS IMPLEMENTATION" not in system
    assert "Do not use: Pillow" in system


@every("row", FU)
def test_follow_ups_are_told_by_whole_words(row: str) -> None:
    drawn = picture()
    said, follows = row.split("|")
    drawn.hear(said)
    assert drawn.face.routing()["isFollowUp"] is (follows == "1")


@every("row", REV)
def test_revision_creation_and_questions_are_told_apart(row: str) -> None:
    drawn = picture()
    said, mode = row.split("|")
    drawn.hear(said)
    request = drawn.state.files.request
    assert request.mode == mode
    assert mode != "revision" or request.target == "a.png"


@every("row", PIN)
def test_what_is_said_for_all_time_holds_in_other_conversations(row: str) -> None:
    chat = new()
    said, rule = row.split("|")
    chat.hear(said)
    held = preferences(chat.holdfast.session(f"{chat.id}-2", user=chat.user).state)
    kind, *what = rule.split()
    if kind == "ban":
        assert what[0] in held.bans
    else:
        assert (held.pins if kind == "pin" else held.preferred)[what[0]] == what[1]
