"""Overrides: a library or an approach is meant, or nothing is. Precision on ordinary talk counts as much as recall."""

from __future__ import annotations

import pytest

from holdfast.reading.libraries.code import known
from holdfast.reading.libraries.overrides import Override, override
from holdfast.reading.reader import Reader
from holdfast.reading.tables import shipped
from tests.linear import stays_linear
from tests.rows import every

LANGUAGES = ("en", "ru", "es")
TABLE, MEANING = known().words()
READER = Reader(
    [
        *shipped("holdfast.reading", "shared", LANGUAGES),
        *shipped("holdfast.faculties.revisions", "revisions", LANGUAGES),
        TABLE,
    ]
)


def read(text: str) -> Override | None:
    return override(READER.read(text), MEANING)


REQUESTS = {
    "Use matplotlib instead": "matplotlib",
    "Switch to pandas": "pandas",
    "Rather use openpyxl": "openpyxl",
    "Use matplotlib instead to add a chart": "matplotlib",
    "use matplotlib": "matplotlib",
    "redo it in matplotlib": "matplotlib",
    "Rewrite the chart with seaborn": "seaborn",
    "let's go with plotly": "plotly",
    "do it in seaborn": "seaborn",
    "I'd rather use plotly": "plotly",
    "I prefer seaborn": "seaborn",
    "can you rewrite this with plotly?": "plotly",
    "matplotlib please": "matplotlib",
    "Matplotlib.": "matplotlib",
    "change it to plotly": "plotly",
    "I want you to use xlsxwriter": "openpyxl",
    "don't stop using Pillow": "Pillow",
    "if possible use plotly": "plotly",
    "maybe use plotly instead": "plotly",
    "could we move to reportlab?": "reportlab",
    "create a chart with matplotlib": "matplotlib",
    "use the pandas library for that": "pandas",
    "For the next chart use plotly": "plotly",
    "Go back to Pillow": "Pillow",
    "How about using plotly instead?": "plotly",
    "Don't forget to use reportlab": "reportlab",
    "I think we should go with fpdf": "fpdf",
    "This time draw it using cairo": "cairo",
    "ok now do the same thing with plotly": "plotly",
    "Please convert the chart to plotly": "plotly",
    "it should use seaborn": "seaborn",
    "можешь переделать на seaborn?": "seaborn",
    "перейди на pandas": "pandas",
    "лучше возьми openpyxl": "openpyxl",
    "переделай это на matplotlib": "matplotlib",
    "сделай с помощью plotly": "plotly",
    "нарисуй график через seaborn": "seaborn",
    "давай на plotly": "plotly",
    "хочу matplotlib": "matplotlib",
    "usa matplotlib en su lugar": "matplotlib",
    "cambia a pandas": "pandas",
    "mejor usa openpyxl": "openpyxl",
    "hazlo con matplotlib": "matplotlib",
    "prefiero seaborn": "seaborn",
    "¿puedes rehacerlo con plotly?": "plotly",
    "cambia todo a reportlab, por favor": "reportlab",
}

SWAPS = {
    "Forget Pillow, use matplotlib": ("matplotlib", "Pillow"),
    "swap Pillow for matplotlib": ("matplotlib", "Pillow"),
    "replace Pillow with plotly": ("plotly", "Pillow"),
    "Use matplotlib, not Pillow": ("matplotlib", "Pillow"),
    "not Pillow but matplotlib": ("matplotlib", "Pillow"),
    "switch from Pillow to matplotlib": ("matplotlib", "Pillow"),
    "can you draw it with Pillow instead of matplotlib?": ("Pillow", "matplotlib"),
    "instead of Pillow, use matplotlib": ("matplotlib", "Pillow"),
    "I don't want matplotlib, use plotly": ("plotly", "matplotlib"),
    "make the chart in seaborn rather than matplotlib": ("seaborn", "matplotlib"),
    "Stop using fpdf and switch to reportlab": ("reportlab", "fpdf"),
    "используй matplotlib вместо Pillow": ("matplotlib", "Pillow"),
    "забудь Pillow, используй matplotlib": ("matplotlib", "Pillow"),
    "замени Pillow на matplotlib": ("matplotlib", "Pillow"),
    "olvida Pillow, usa matplotlib": ("matplotlib", "Pillow"),
    "reemplaza Pillow por matplotlib": ("matplotlib", "Pillow"),
    "usa matplotlib en vez de Pillow": ("matplotlib", "Pillow"),
    "hazlo en plotly, no en Pillow": ("plotly", "Pillow"),
    "do it in plotly, not in Pillow": ("plotly", "Pillow"),
    "Сделай это в plotly, а не в Pillow": ("plotly", "Pillow"),
}

REFUSALS = {
    "don't use Pillow": "Pillow",
    "please do not use matplotlib": "matplotlib",
    "stop using pandas": "pandas",
    "avoid matplotlib": "matplotlib",
    "no more fpdf": "fpdf",
    "without pandas please": "pandas",
    "not Pillow": "Pillow",
    "use anything but Pillow": "Pillow",
    "I don't want seaborn": "seaborn",
    "never use fpdf": "fpdf",
    "не используй Pillow": "Pillow",
    "только не matplotlib": "matplotlib",
    "хватит использовать fpdf": "fpdf",
    "no uses Pillow": "Pillow",
    "deja de usar matplotlib": "matplotlib",
    "sin pandas": "pandas",
}

APPROACHES = [
    "go at it another way, different tool",
    "попробуй по-другому, другим инструментом",
    "сделай каким-нибудь другим способом",
    "it lost the dots. is there some other way? try something else",
    "Try a different approach",
    "use another library",
    "let's try another way",
    "please do this using a different library",
    "A new approach, please",
    "Can we use a different tool?",
    "change the approach",
    "I want you to use some other method",
    "I want another library",
    "Try a different approach for this one",
    "pick a better library",
    "попробуй другой подход",
    "используй другую библиотеку",
    "смени подход",
    "prueba otro enfoque",
    "usa una biblioteca diferente",
    "cambia de enfoque",
]

OPEN = [
    "can we try something different",
    "try something else",
    "Let's do something completely different this time.",
    "do it differently please",
    "давай попробуем что-нибудь другое",
    "сделай по-другому",
    "probemos algo diferente",
    "haz otra cosa",
]

NOTHING = """Add a blue square
make it 3 instead of 1
change to red
make the circle green instead
why did you use Pillow?
Why not matplotlib?
what is matplotlib?
should I use pandas?
did you use matplotlib?
is plotly better than matplotlib?
Can this be done with pandas?
make a document about pandas
write a guide on how to use pandas
add a section about using matplotlib
change the title to "Matplotlib Basics"
change the title to Pandas
the title should say Use Plotly
draw two pandas instead of bears
use pandas instead of bears in the picture
replace the bears with pandas
put a pillow on the bed instead
make the pillow blue instead
use a pillow as the background
I used pandas instead of openpyxl at work
they use matplotlib at my company
we use pandas at work
I'd rather have it on the left
change the font to Arial instead
switch to dark mode
use a different color
try a different shade of blue
add a paragraph about a new approach to learning
write about how companies use a different approach
make it the other way around
use blue instead
the other way round please
rather big, isn't it?
use 12 points instead
change the city to Cairo
I moved to Cairo last year
can you use a different font?
write something different in the title
put something else there
try something different for the title font
How does matplotlib compare to plotly?
My friend said to use plotly
if it fails, use pandas
I am learning pandas
do you know matplotlib?
make a document about working with pandas
use report_pandas.csv instead
tell me about Pillow
thanks, that looks great
change the background to white rather than grey
Instead of a circle, draw a star
forget the title, use a subtitle
switch to landscape
forget it
try again
do it again, but bigger
a new way of life is the topic
Use "Matplotlib for Beginners" as the heading
I'd rather wait until tomorrow
What would you use, matplotlib or plotly?
почему ты использовал Pillow?
сделай 3 вместо 1
поменяй на красный
используй другой цвет
напиши документ про панд
лучше синий
что такое matplotlib?
расскажи, как использовать pandas
haz 3 en vez de 1
cambia a rojo
usa otro color
¿por qué usaste Pillow?
escribe un documento sobre pandas
mejor en azul
¿qué es matplotlib?
what about seaborn?
the text should say: use plotly instead
use Arial rather than Times
let's go with option 2
let's use a darker blue instead
change to a pie chart
do not change the library
please don't use a different approach
не меняй библиотеку
no cambies de biblioteca
no uses otra biblioteca
I heard seaborn is nicer
use a new way of writing
otra vez por favor""".splitlines()


# Words that are names of libraries too, in talk that means none; then the same names where one is meant.
ORDINARY = """make a sharp version
move it to Cairo
Move the meeting to Cairo
change the location to Cairo
switch to Cairo time
use Cairo as the capital of Egypt
change the city to Cairo
move them to Cairo, the capital
I want to go to Cairo instead
we should move to Cairo
Let's go with Cairo for the conference
rather Cairo than Alexandria
add a pillow to the picture
use a softer pillow
I need a new pillow
use pillows instead of cushions
draw a pillow instead
change it to a pillow
make it a pillow
replace the cushion with a pillow
swap the blanket for a pillow
use more bokeh
add bokeh to the photo
I want bokeh in the background
use bokeh in the background
make it with more bokeh
switch to bokeh effect
use sharp edges
make it sharp
make it sharp instead
make the image sharp, please
sharp instead of blurry
I'd prefer it sharp
switch to sharp corners
use pandas instead of bears
draw pandas instead
I prefer pandas to koalas
put two pandas on the cover
change the bear to pandas
replace the lions with pandas
rather pandas than lions
make it about pandas
write about Altair, the star
use Altair as the main star
switch to Altair, not Vega
change the star to Altair
plot the data
make the plot bigger
use the second plot
change the plot to a pie
use a canvas background
paint it on canvas
switch to canvas texture
make two reports
excel at this task
use Excel for the budget
change to Excel format
switch to sheet 2
move it to sheet 2
add a flask to the picture
use a flask in the drawing
use d3 vitamins
change D3 to 5
put 12 in cell D3
move the value to D3
switch D3 and D4
change cell D3 instead
use express shipping instead
use plt as the abbreviation
change pil to oil
use a python as the mascot
word instead of pdf
use Word
make it in Excel instead
use red instead
use three columns instead of two
use Arial instead
use landscape orientation instead
rather a bar chart
change to a line chart
switch to dark mode
use a different color
use another font
try another title
a new way of living is the topic
describe a new approach to learning
find a different way to phrase it
перенеси в Каир
перенеси это в Каир
смени город на Каир
давай в Каир
замени на Каир
нарисуй подушку вместо одеяла
нарисуй панд вместо медведей
замени медведя на панду
сделай лучше панду
сделай резче
используй красный вместо синего
поменяй на подушку
перейди на лист 2
используй Excel
сделай в Word
поменяй D3 на 5
используй другой цвет
попробуй другой заголовок
напиши про новый подход к обучению
muévelo a El Cairo
mueve la reunión a El Cairo
cambia la ciudad a El Cairo
mejor El Cairo
usa pandas en vez de osos
dibuja pandas en lugar de osos
prefiero pandas a leones
cambia el oso por pandas
usa una almohada
usa Excel
hazlo en Word
usa rojo en lugar de azul
cambia D3 por 5
pon el valor en D3
usa otro color
prueba otro título
escribe sobre un nuevo enfoque de la enseñanza
hazlo más nítido""".splitlines()

MEANT = {
    "lets see a bokeh version": "bokeh",
    "use cairo instead": "cairo",
    "redraw it with cairo": "cairo",
    "switch to cairo": "cairo",
    "switch to pycairo": "cairo",
    "use the cairo library": "cairo",
    "use Pillow instead": "Pillow",
    "switch to pillow": "Pillow",
    "redo it in pillow": "Pillow",
    "go back to pillow": "Pillow",
    "use bokeh instead": "bokeh",
    "use bokeh for the chart": "bokeh",
    "switch to bokeh": "bokeh",
    "redo the chart in bokeh": "bokeh",
    "use pandas": "pandas",
    "use pandas instead": "pandas",
    "switch to pandas": "pandas",
    "Rather use pandas": "pandas",
    "do it in pandas": "pandas",
    "use altair instead of matplotlib": "altair",
    "use altair": "altair",
    "use D3 instead": "D3",
    "redo it in d3": "D3",
    "switch to d3.js": "D3",
    "use sharp instead": "sharp",
    "replace openpyxl with pandas": "pandas",
    "используй pandas": "pandas",
    "переделай в pillow": "Pillow",
    "лучше через pandas": "pandas",
    "используй cairo вместо pillow": "cairo",
    "замени pillow на cairo": "cairo",
    "нарисуй это через cairo": "cairo",
    "сделай на bokeh": "bokeh",
    "cambia a pandas": "pandas",
    "usa cairo en vez de pillow": "cairo",
    "rehazlo en bokeh": "bokeh",
    "prefiero pillow": "Pillow",
    "hazlo con pandas": "pandas",
    "reemplaza pillow por cairo": "cairo",
    "use pandas to load the csv": "pandas",
    "use pandas for the analysis": "pandas",
    "use pillow for the logo": "Pillow",
    "use bokeh so that I can zoom": "bokeh",
    "use pandas in this script": "pandas",
    "use the pillow image library": "Pillow",
    "move the chart to cairo": "cairo",
    "используй pandas для анализа данных": "pandas",
    "usa pandas para el análisis": "pandas",
    "use bokeh, I want to zoom": "bokeh",
}


@every("said", ORDINARY)
def test_words_that_happen_to_be_names_of_libraries_ask_for_none(said: str) -> None:
    found = read(said)
    assert found is None or not found.meant({"matplotlib"})


@every(("said", "library"), MEANT.items())
def test_the_same_names_ask_for_the_library_where_it_is_meant(said: str, library: str) -> None:
    found = read(said)
    assert found is not None
    assert found.meant({"matplotlib"})
    assert found.requested == library


def test_a_way_to_a_place_means_the_library_of_that_name_only_where_it_is_in_use() -> None:
    found = read("go back to cairo")
    assert found is not None
    assert found.meant({"cairo"})
    assert not found.meant({"Pillow"})


@every(("said", "library"), REQUESTS.items())
def test_a_named_library_with_a_verb_of_choice_is_requested(said: str, library: str) -> None:
    found = read(said)
    assert found is not None
    assert (found.kind, found.requested, found.rejected) == ("library", library, ())


@every(("said", "names"), SWAPS.items())
def test_a_swap_names_what_comes_and_what_goes(said: str, names: tuple[str, str]) -> None:
    found = read(said)
    assert found is not None
    assert (found.kind, found.requested, found.rejected) == ("library", names[0], (names[1],))


@every(("said", "library"), REFUSALS.items())
def test_a_refusal_names_what_must_not_be_used(said: str, library: str) -> None:
    found = read(said)
    assert found is not None
    assert (found.kind, found.requested, found.rejected) == ("reject", None, (library,))


@every("said", APPROACHES)
def test_another_approach_is_an_override_without_a_target(said: str) -> None:
    found = read(said)
    assert found is not None
    assert (found.kind, found.requested, found.ambiguous) == ("approach", None, False)


@pytest.mark.parametrize("said", OPEN)
def test_something_different_stays_ambiguous(said: str) -> None:
    found = read(said)
    assert found is not None
    assert (found.kind, found.ambiguous) == ("approach", True)


@every("said", NOTHING)
def test_ordinary_talk_is_no_override(said: str) -> None:
    assert read(said) is None


def test_two_libraries_joined_by_or_are_ambiguous() -> None:
    found = read("Use pandas or polars")
    assert found is not None
    assert found.requested == "pandas"
    assert found.also == ("polars",)
    assert found.ambiguous


def test_the_member_of_a_family_that_was_named_is_kept() -> None:
    found = read("use xlsxwriter")
    assert found is not None
    assert (found.requested, found.real) == ("openpyxl", "xlsxwriter")


@pytest.mark.parametrize(
    "piece", ["use pandas ", "matplotlib ", "instead of matplotlib, ", "try a different approach ", "use ", "not "]
)
def test_a_megabyte_of_hostile_words_is_read_in_linear_time(piece: str) -> None:
    stays_linear(read, piece, 20_000)
