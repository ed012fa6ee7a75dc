"""Cuts fonts of the pages so that a page loads little for each script of its names.

    apt-get install python3-fonttools python3-brotli
    npm pack @fontsource-variable/source-sans-3@5.3.0 @fontsource-variable/noto-sans-arabic@5.3.0
    /usr/bin/python3 fonts.py FOLDER    # with files/*.woff2 of both packages
"""

import io
import pathlib
import shutil
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

HERE = pathlib.Path(__file__).parent
FONTS = HERE / "fonts"
EASTERN = HERE.parent.parent / "templates" / "pdf" / "fonts" / "eastern.ttf"
LANGUAGES = "日本語한국어繁體中文"  # the names of three languages, which every page shows

# Central Europe, the Baltic, Romania and Turkey
LATIN_A = [*range(0x100, 0x131), *range(0x132, 0x152), *range(0x154, 0x180), *range(0x218, 0x21C), 0x1E9E]

# Arabic, Persian, Urdu, Pashto, Kurdish, Sindhi and Uyghur, with the controls of joining
ARABIC = [
    0x60C, 0x61B, 0x61F, *range(0x621, 0x63B), *range(0x640, 0x656), *range(0x660, 0x66E), 0x670, 0x671,
    *range(0x679, 0x689), 0x68A, 0x68C, 0x68D, 0x68F, 0x691, 0x693, 0x695, 0x696, *range(0x698, 0x69B), 0x6A4, 0x6A6,
    *range(0x6A9, 0x6AC), 0x6AD, 0x6AF, 0x6B1, 0x6B3, 0x6B5, 0x6BA, 0x6BB, 0x6BC, 0x6BE, *range(0x6C0, 0x6CF),
    *range(0x6D0, 0x6D6), *range(0x6F0, 0x6FA), *range(0x200C, 0x2010),
]


def cut(font, name, letters, features=None):
    """Writes the letters of a font, with its features for text or the given ones."""
    options = subset.Options(flavor="woff2", name_IDs=[], hinting=False)
    options.drop_tables += ["STAT", "MVAR", "BASE", "gasp"]
    if features is not None:
        options.layout_features = features
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    subset.save_font(font, FONTS / name, options)
    print(name, (FONTS / name).stat().st_size)


def lighter(path):
    """A font with the weights from 400 to 700 only."""
    font = instancer.instantiateVariableFont(TTFont(path), {"wght": (400, 400, 700)})
    font.flavor = None
    whole = io.BytesIO()  # read again because instancer drops the variations of some glyphs, which subset looks for
    font.save(whole)
    return TTFont(whole)


def split(load, path, often, seldom, letters):
    """Writes one font with the given letters and another with the rest."""
    cut(load(path), often, letters)
    cut(load(path), seldom, load(path).getBestCmap().keys() - set(letters))


def main(folder):
    shutil.copy(folder / "source-sans-3-latin-wght-normal.woff2", FONTS / "source-sans-3-latin.woff2")
    latin = folder / "source-sans-3-latin-ext-wght-normal.woff2"
    arabic = folder / "noto-sans-arabic-arabic-wght-normal.woff2"
    split(TTFont, latin, "source-sans-3-latin-a.woff2", "source-sans-3-latin-ext.woff2", LATIN_A)
    split(lighter, arabic, "noto-sans-arabic.woff2", "noto-sans-arabic-ext.woff2", ARABIC)
    cut(TTFont(FONTS / "noto-sans-hebrew-hebrew-wght-normal.woff2"), "languages-he.woff2", map(ord, "עברית"))
    cut(TTFont(EASTERN), "languages.woff2", map(ord, LANGUAGES), [])


main(pathlib.Path(sys.argv[1]))
