# Regular expressions of Python as those of JavaScript, by Python's own parser of them: what they mean stays, whatever way it
# was written in.
import re
from re import _constants as c
from re import _parser as parser

# Letters beyond ASCII as far as names in programs have them: all alphabets of the first plane.
LETTERS = "\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff"
# Ranges beyond ASCII in one set, of which more are all letters that Unicode knows.
MANY = 60
CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w" + LETTERS,
    c.CATEGORY_NOT_WORD: r"\W",
}
# By what Python calls them when it counts lines, and when it does not.
PLACES = {
    c.AT_BEGINNING: "(?<![^])",
    c.AT_BEGINNING_LINE: r"(?<![^\n])",
    c.AT_BEGINNING_STRING: "(?<![^])",
    c.AT_BOUNDARY: r"\b",
    c.AT_NON_BOUNDARY: r"\B",
    c.AT_END: r"(?=\n?(?![^]))",
    c.AT_END_LINE: r"(?![^\n])",
    c.AT_END_STRING: "(?![^])",
}
NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\f": r"\f", "\v": r"\v"}


def letter(code, special):
    char = chr(code)
    if char in NAMED:
        return NAMED[char]
    if code < 32 or code in (127, 0x2028, 0x2029) or 0xD800 <= code < 0xE000:
        return f"\\u{code:04x}"
    return "\\" + char if char in special else char


def literal(code, cases):
    char = chr(code)
    if cases and char.lower() != char.upper() and len(char.upper()) == len(char.lower()) == 1:
        return f"[{char.lower()}{char.upper()}]"
    return letter(code, "^$\\.*+?()[]{}|/")


def member(op, value, cases):
    if op is c.CATEGORY:
        return CATEGORIES[value]
    low, high = value if op is c.RANGE else (value, value)
    special = "^]\\-["
    text = letter(low, special) + ("" if low == high else "-" + letter(high, special))
    both = chr(low).isalpha() and chr(high).isalpha() and cases and low < 128
    return text + (text.swapcase() if both and "\\" not in text else "")


def beyond_ascii(op, value):
    return op is not c.CATEGORY and (value[0] if op is c.RANGE else value) > 127


def one_of(items, cases):
    negated = items[0][0] is c.NEGATE
    members = items[1:] if negated else items
    if sum(beyond_ascii(*one) for one in members) > MANY:
        return "[" + ("^" if negated else "") + "".join(member(*one, cases) for one in members if not beyond_ascii(*one)) + LETTERS + "]"
    if not negated and len(members) == 1 and members[0][0] is c.CATEGORY and members[0][1] is not c.CATEGORY_WORD:
        return CATEGORIES[members[0][1]]
    return "[" + ("^" if negated else "") + "".join(member(*one, cases) for one in members) + "]"


def repeated(value, suffix, flags, cases):
    least, most, inner = value
    text = sequence(inner, flags, cases)
    alone = len(inner) == 1 and inner[0][0] in (c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN, c.SUBPATTERN)
    if not (alone and (inner[0][0] is not c.SUBPATTERN or text.startswith("("))):
        text = f"(?:{text})"
    unbounded = most is c.MAXREPEAT
    times = {(0, True): "*", (1, True): "+"}.get((least, unbounded))
    if times is None and (least, most) == (0, 1):
        times = "?"
    if times is None:
        times = f"{{{least}}}" if least == most else f"{{{least},{'' if unbounded else most}}}"
    return text + times + suffix


def one(op, value, flags, cases):
    if op is c.LITERAL:
        return literal(value, cases)
    if op is c.NOT_LITERAL:
        return "[^" + member(c.LITERAL, value, cases) + "]"
    if op is c.ANY:
        return "[^]" if flags & re.DOTALL else r"[^\n]"
    if op is c.IN:
        return one_of(value, cases)
    if op is c.AT:
        if flags & re.MULTILINE:
            value = {c.AT_BEGINNING: c.AT_BEGINNING_LINE, c.AT_END: c.AT_END_LINE}.get(value, value)
        return PLACES[value]
    if op is c.BRANCH:
        return "(?:" + "|".join(sequence(branch, flags, cases) for branch in value[1]) + ")"
    if op is c.SUBPATTERN:
        group, added, removed, inner = value
        flags = (flags | added) & ~removed
        own = sequence(inner, flags, cases or bool(added & re.IGNORECASE))
        return f"({own})" if group is not None else f"(?:{own})"
    if op is c.MAX_REPEAT or op is c.POSSESSIVE_REPEAT:
        return repeated(value, "", flags, cases)
    if op is c.MIN_REPEAT:
        return repeated(value, "?", flags, cases)
    if op is c.ATOMIC_GROUP:
        return "(?:" + sequence(value, flags, cases) + ")"
    if op in (c.ASSERT, c.ASSERT_NOT):
        direction, inner = value
        mark = "(?" + ("<" if direction < 0 else "") + ("=" if op is c.ASSERT else "!")
        return mark + sequence(inner, flags, cases) + ")"
    if op is c.GROUPREF:
        return f"(?:\\{value})"
    raise ValueError(f"no such thing in JavaScript: {op}")


def sequence(items, flags, cases):
    return "".join(one(op, value, flags, cases) for op, value in items)


def js_regex(compiled):
    """The source of a compiled expression, and whether it ignores letter case."""
    parsed = parser.parse(compiled.pattern, compiled.flags & ~re.UNICODE)
    flags = parsed.state.flags
    return sequence(parsed, flags, False), bool(flags & re.IGNORECASE)
