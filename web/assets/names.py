"""Cuts the Han, kana and Hangul that names are written with out of Noto Sans CJK, and writes the style sheet that names the pieces.

A page loads only the pieces whose letters it shows, and none where the device has such a font of its own. On Debian:

    apt-get install python3-fonttools python3-brotli fonts-noto-cjk
    /usr/bin/python3 names.py /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

The ten letters with which three languages name themselves are a font of their own, out of the one on paper, so that no page loads the
pieces for them:

    /usr/bin/python3 names.py languages
"""

import pathlib
import sys

from fontTools import subset

HERE = pathlib.Path(__file__).parent
CHINESE = 2  # of the collection's faces, whose Han are those of mainland China; its kana and Hangul are everybody's
LOCAL = ["Noto Sans CJK SC", "NotoSansCJKjp-Regular", "PingFang SC", "Microsoft YaHei"]
LANGUAGES = "日本語한국어繁體中文"
LOCAL_HANGUL = ["Noto Sans CJK KR", "NotoSansCJKjp-Regular", "Apple SD Gothic Neo", "Malgun Gothic"]


def pairs(codec, leads, trails):
    """The characters that two bytes of an encoding stand for."""
    found = set()
    for lead in leads:
        for trail in trails:
            try:
                found.update(map(ord, bytes([lead, trail]).decode(codec)))
            except UnicodeDecodeError:
                pass
    return found


def pieces():
    """For each first code point of a piece how many follow it, and the characters of it that are kept."""
    high = range(0xA1, 0xFF)
    han = pairs("gb2312", high, high) | pairs("cp932", range(0x88, 0xFD), range(0x40, 0xFD)) | pairs("big5", range(0xA4, 0xC7), range(0x40, 0xFF))
    yield 0x3000, 0x100, range(0x3000, 0x3100)
    for start in range(0x4E00, 0xA000, 0x200):
        yield start, 0x200, [c for c in range(start, start + 0x200) if c in han]
    for start in range(0xAC00, 0xD7A4, 0x400):
        yield start, 0x400, range(start, min(start + 0x400, 0xD7A4))
    yield 0xF900, 0x200, [c for c in range(0xF900, 0xFB00) if c in han]
    yield 0xFF00, 0xF0, range(0xFF00, 0xFFF0)


def cut(source, characters, to, number=CHINESE):
    options = subset.Options(flavor="woff2", font_number=number, layout_features=[], hinting=False, desubroutinize=True, name_IDs=[])
    options.drop_tables += ["GSUB", "GPOS", "BASE", "VORG", "vhea", "vmtx"]
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    subset.save_font(font, to, options)


def main():
    rules = ["/* Made by names.py: the letters of East Asian names. */"]
    for start, length, characters in pieces():
        name = f"names-{start:x}.woff2"
        cut(sys.argv[1], characters, HERE / "fonts" / name)
        local = ", ".join(f'local("{font}")' for font in (LOCAL_HANGUL if start in range(0xAC00, 0xD7A4) else LOCAL))
        rules.append(f'@font-face {{ font-family: Names; font-display: swap; src: {local}, url(../fonts/{name}) format("woff2"); unicode-range: U+{start:X}-{start + length - 1:X}; }}')
    print(sum(len(characters) for _, _, characters in pieces()), "characters")
    (HERE / "css" / "names.css").write_text("\n".join(rules) + "\n")


def languages():
    cut(HERE.parent.parent / "templates" / "pdf" / "fonts" / "eastern.ttf", map(ord, LANGUAGES), HERE / "fonts" / "languages.woff2", -1)


languages() if sys.argv[1] == "languages" else main()
