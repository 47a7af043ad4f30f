"""Code that draws a chart with matplotlib, seaborn or plotly, in the look of its scene."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.agents.making.looks import FACES, shades
from holdfast.agents.making.places import HEIGHT, WIDTH, box, corners, marks
from holdfast.agents.making.scenes import Scene

TYPE = 10


PYPLOT = ("import matplotlib", "", "matplotlib.use('Agg')", "import matplotlib.pyplot as plt")
TEXT_COLORS = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color")


def matplotlib(scene: Scene) -> Iterator[str]:
    yield from PYPLOT
    if not scene.labels:
        yield "from matplotlib.patches import Ellipse, Polygon"
    yield ""
    yield from _lettered(scene)
    yield f"figure, {'chart' if scene.labels else 'axes'} = plt.subplots(figsize={_inches(scene)})"
    yield f"figure.set_facecolor({scene.background!r})"
    yield from _plot(scene) if scene.labels else _patches(scene)
    yield f"figure.savefig({scene.file!r}, dpi=100)"
    yield "plt.close(figure)"


def picture(scene: Scene) -> Iterator[str]:
    """A chart as a picture that is set into a paper, under the name `plotted`."""
    yield from ("from io import BytesIO", *PYPLOT, "")
    yield from _lettered(scene)
    yield "figure, chart = plt.subplots(figsize=(4, 3))"
    yield from _plot(scene)
    yield "plotted = BytesIO()"
    yield "figure.savefig(plotted, format='png', dpi=150)"
    yield "plotted.seek(0)"
    yield "plt.close(figure)"


def _lettered(scene: Scene) -> Iterator[str]:
    """The type of a matplotlib figure, where it is not the usual one."""
    look, settings = scene.look, dict[str, object]()
    if look.font != 1:
        settings["font.size"] = round(TYPE * look.font, 1)
    if look.face:
        settings["font.family"] = FACES[look.face].generic
    if look.text_color:
        settings |= dict.fromkeys(TEXT_COLORS, look.text_color)
    if settings:
        yield f"plt.rcParams.update({settings!r})"


def _inches(scene: Scene) -> tuple[float, float]:
    return round(4 * scene.scale, 1), round(3 * scene.scale, 1)


def _patches(scene: Scene) -> Iterator[str]:
    yield f"axes.set_xlim(0, {WIDTH})"
    yield f"axes.set_ylim({HEIGHT}, 0)"
    yield "axes.set_aspect('equal')"
    yield "axes.axis('off')"
    for mark in marks(scene):
        if mark.form in ("circle", "ellipse"):
            left, up, right, down = box(mark)
            size = f"{right - left}, {down - up}"
            yield f"axes.add_patch(Ellipse(({mark.x}, {mark.y}), {size}, color={mark.color!r}))"
        else:
            yield f"axes.add_patch(Polygon({corners(mark)}, color={mark.color!r}))"
    if scene.look.caption:
        yield f"axes.set_title({scene.look.caption!r}{_title(scene)})"


def _plot(scene: Scene) -> Iterator[str]:
    """The chart on the axes `chart`."""
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", color={scene.color!r}" if scene.color else ""
    if scene.background != "white":
        yield f"chart.set_facecolor({scene.background!r})"
    if scene.chart == "pie":
        yield f"chart.pie([abs(value) for value in values], labels=labels{_slices(scene, 'colors')})"
    elif scene.chart == "trend":
        yield f"chart.plot(labels, values{color})"
    else:
        yield f"chart.bar(labels, values{color})"
    yield from _named(scene)


def _slices(scene: Scene, name: str) -> str:
    return f", {name}={shades(scene.color, len(scene.labels))!r}" if scene.color else ""


def _named(scene: Scene) -> Iterator[str]:
    if scene.title:
        yield f"chart.set_title({scene.title!r}{_title(scene)})"
    for axis, name in (("x", scene.look.x), ("y", scene.look.y)):
        if name:
            yield f"chart.set_{axis}label({name!r})"


def _title(scene: Scene) -> str:
    look = scene.look
    size = round(1.2 * TYPE * look.font * look.title_size, 1)
    sized = f", fontsize={size}" if look.title_size != 1 else ""
    return (f", color={look.title_color!r}" if look.title_color else "") + sized


def seaborn(scene: Scene) -> Iterator[str]:
    look = scene.look
    yield "import seaborn as sns"
    yield ""
    settings: dict[str, object] = {"figure.figsize": _inches(scene)}
    if scene.background != "white":
        settings |= {"figure.facecolor": scene.background, "axes.facecolor": scene.background}
    if look.text_color:
        settings |= dict.fromkeys(TEXT_COLORS, look.text_color)
    face = f", font={FACES[look.face].generic!r}" if look.face else ""
    size = f", font_scale={look.font}" if look.font != 1 else ""
    yield f"sns.set_theme(style='whitegrid'{face}{size}, rc={settings!r})"
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", color={scene.color!r}" if scene.color else ""
    if scene.chart == "pie":
        colors = _slices(scene, "colors") or ", colors=sns.color_palette()"
        yield "chart = sns.lineplot()"  # seaborn draws no pies; it gives the axes and the colours
        yield f"chart.pie([abs(value) for value in values], labels=labels{colors})"
    else:
        full = ", saturation=1" if color and scene.chart != "trend" else ""  # the very colour that was asked for
        yield f"chart = sns.{'lineplot' if scene.chart == 'trend' else 'barplot'}(x=labels, y=values{color}{full})"
    yield from _named(scene)
    yield f"chart.figure.savefig({scene.file!r}, dpi=100, bbox_inches='tight')"
    yield "chart.figure.clear()"


def plotly(scene: Scene) -> Iterator[str]:
    yield "import plotly.graph_objects as go"
    yield ""
    yield f"labels = {scene.labels!r}"
    yield f"values = {scene.values!r}"
    color = f", marker_color={scene.color!r}" if scene.color else ""
    if scene.chart == "pie":
        colors = f", marker={ {'colors': shades(scene.color, len(scene.labels))}!r}" if scene.color else ""
        yield f"trace = go.Pie(labels=labels, values=[abs(value) for value in values]{colors})"
    elif scene.chart == "trend":
        yield f"trace = go.Scatter(x=labels, y=values, mode='lines+markers'{color})"
    else:
        yield f"trace = go.Bar(x=labels, y=values{color})"
    yield f"figure = go.Figure(trace, layout={_layout(scene)!r})"
    yield f"figure.write_html({scene.file!r})"


def _layout(scene: Scene) -> dict[str, object]:
    """The look of a plotly figure: only what is not as usual."""
    look = scene.look
    size = round(17 * look.font * look.title_size) if look.title_size != 1 else None
    title = _set(color=look.title_color, size=size)
    layout: dict[str, object] = {"title": {"text": scene.title, "font": title} if title else scene.title}
    if scene.scale != 1:
        layout |= {"width": round(700 * scene.scale), "height": round(450 * scene.scale)}
    if scene.background != "white":
        layout |= {"plot_bgcolor": scene.background, "paper_bgcolor": scene.background}
    return layout | _set(
        font=_set(
            size=round(12 * look.font) if look.font != 1 else None,
            family=FACES[look.face].generic if look.face else None,
            color=look.text_color,
        ),
        xaxis=look.x and {"title": {"text": look.x}},
        yaxis=look.y and {"title": {"text": look.y}},
    )


def _set(**given: object) -> dict[str, object]:
    return {name: value for name, value in given.items() if value}
