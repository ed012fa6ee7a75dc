"""Cuts the faces that sheets are printed with out of Debian's, down to the letters that names are written with.

The Latin faces get a square, the sign for a letter that no face has: a copy of the font's own box for a missing glyph.

    apt-get install python3-fonttools fonts-noto-core fonts-wqy-microhei
    /usr/bin/python3 fonts.py

PDF takes TrueType outlines alone, which Noto Sans CJK has not; WenQuanYi Micro Hei has them, and Hangul beside Han and kana.
"""

import copy
import pathlib

from fontTools import subset

HERE = pathlib.Path(__file__).parent / "fonts"
DEBIAN = pathlib.Path("/usr/share/fonts/truetype")
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x300, 0x400), *range(0x400, 0x530), *range(0x1E00, 0x2000), *range(0x2010, 0x2028), *range(0x2030, 0x205F), *range(0x20A0, 0x20C0), *range(0x2100, 0x2150)]
HEBREW = [*range(0x5D0, 0x5F5), 0x5BE, 0x20AA, *range(0xFB1D, 0xFB50)]
ARABIC = [*range(0x600, 0x700), *range(0xFB50, 0xFBFF), *range(0xFC5E, 0xFC64), *range(0xFDF0, 0xFE00), *range(0xFE70, 0xFEFF)]
GEORGIAN = [*range(0x10A0, 0x1100), *range(0x1C90, 0x1CC0)]
ARMENIAN = [*range(0x531, 0x590), *range(0xFB13, 0xFB18)]
SQUARE = 0x25A1
MINUS, DASH = 0x2212, 0x2013  # Noto Sans has the one in another font


def eastern():
    """Han, kana, Hangul, what is written between them, and arrows."""
    return [0x2190, 0x2192, *range(0x3000, 0x3100), *range(0x3400, 0xA000), *range(0xAC00, 0xD7A4), *range(0xF900, 0xFB00), *range(0xFF00, 0xFFF0)]


def add_square(font):
    font["glyf"].glyphs["square"] = copy.deepcopy(font["glyf"][".notdef"])
    font.setGlyphOrder([*font["glyf"].glyphOrder, "square"])
    font["glyf"].glyphOrder = font.getGlyphOrder()
    font["hmtx"].metrics["square"] = font["hmtx"].metrics[".notdef"]
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[SQUARE] = "square"


def cut(source, characters, name, number=-1):
    options = subset.Options(font_number=number, layout_features=[], hinting=False, name_IDs=[1, 2, 4, 6], notdef_outline=True)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "kern", "vhea", "vmtx", "VORG", "gasp", "cvt ", "fpgm", "prep", "DSIG", "FFTM"]
    font = subset.load_font(DEBIAN / source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    for table in font["cmap"].tables:
        if table.isUnicode() and DASH in table.cmap and MINUS not in table.cmap:
            table.cmap[MINUS] = table.cmap[DASH]
    if name.startswith("latin-"):
        add_square(font)
    subset.save_font(font, HERE / (name + ".ttf"), options)
    print(name, len(font.getBestCmap()), (HERE / (name + ".ttf")).stat().st_size)


def main():
    for weight in "Regular", "Bold":
        cut(f"noto/NotoSans-{weight}.ttf", LATIN, f"latin-{weight.lower()}")
        cut(f"noto/NotoSansHebrew-{weight}.ttf", HEBREW, f"hebrew-{weight.lower()}")
        cut(f"noto/NotoSansArabic-{weight}.ttf", ARABIC, f"arabic-{weight.lower()}")
        cut(f"noto/NotoSansGeorgian-{weight}.ttf", GEORGIAN, f"georgian-{weight.lower()}")
        cut(f"noto/NotoSansArmenian-{weight}.ttf", ARMENIAN, f"armenian-{weight.lower()}")
    cut("noto/NotoSerifDisplay-Regular.ttf", LATIN, "serif")
    cut("noto/NotoSerifHebrew-Regular.ttf", HEBREW, "serif-hebrew")
    cut("wqy/wqy-microhei.ttc", eastern(), "eastern", 0)


main()
