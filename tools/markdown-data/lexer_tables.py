# Writes the rules of Pygments' lexers for the languages that highlight.js does not have, as tables of regular expressions
# for run-lexer.js, and what Pygments makes of the samples: python3 tools/markdown-data/lexer_tables.py
# The rules are Pygments' (BSD-2-Clause, copyright the Pygments team; the licence lies beside the tables); made with version 2.20.
import inspect
import json
import pathlib
import re

from pygments.lexer import ExtendedRegexLexer, RegexLexer, words
from pygments.lexers import find_lexer_class
from pygments.token import STANDARD_TYPES, Name, Punctuation, Token, _TokenType

from js_regex import js_regex
from own_lexers import INSTEAD, LESS, OWN, RULES, SAYS, WORDS

ROOM = pathlib.Path(__file__).parents[2] / "src/kernel/markdown"
FOLDER = ROOM / "code/lexer-tables"
# Classes that look like plain text or say that something is wrong, which it seldom is.
PLAIN = {"n", "w", "err", "x", "esc"}
KNOWN = set(
    "k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl sd s2 se sh si sx "
    "sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt".split()
)


class NotTold(Exception):
    """A rule is a program and no table."""


def class_of(token):
    while token is not Token:
        name = STANDARD_TYPES.get(token, "")
        if token in STANDARD_TYPES and (name == "" or name in KNOWN or name in PLAIN):
            return "" if name in PLAIN else name
        token = token.parent
    return ""


def name_of(action):
    """Of a function, the name under which it is declared."""
    return getattr(action, "__qualname__", "").split(".<locals>")[0]


def said(says):
    return [class_of(one) for one in says] if isinstance(says, tuple) and not isinstance(says, _TokenType) else class_of(says)


def js_rule(compiled):
    source, cases = js_regex(compiled)
    return [source, 1 if cases else 0]


class Tables:
    """The tables of one lexer and of those that it gives parts of a text to."""

    def __init__(self):
        self.lexers = {}
        self.untold = []

    def add(self, lexer):
        key = lexer.__name__
        if key in self.lexers:
            return key
        if not issubclass(lexer, RegexLexer):
            raise NotTold(f"{key} is no table")
        if key not in WORDS and lexer.get_tokens_unprocessed not in (RegexLexer.get_tokens_unprocessed, ExtendedRegexLexer.get_tokens_unprocessed):
            self.untold.append(f"{key} looks at its tokens again")
        self.lexers[key] = {}
        made = lexer()
        self.lexers[key] = {
            state: [whole for one in rules for whole in self.rules(lexer, *one)] for state, rules in made._tokens.items()
        }
        return key

    def rules(self, lexer, match, action, next_states):
        """The rules that one stands for."""
        compiled = match.__self__
        name = name_of(action)
        if name == "_indentation":
            return [[*js_rule(compiled), "", ["content"]]]
        if name == "SlashLanguageLexer.right_angle_bracket":
            return [[*js_rule(compiled), class_of(Punctuation), [-1]]]
        if name in RULES:
            others = [(re.compile(regex, re.MULTILINE), says) for regex, says in RULES[name]]
            return [[*js_rule(one), said(says), self.steps(next_states)] for one, says in others]
        rule = [*js_rule(compiled), self.action(lexer, action), self.steps(next_states)]
        kinds = WORDS.get(lexer.__name__, []) if action is Name else []
        return [*(self.words(*kind, self.steps(next_states)) for kind in kinds), rule]

    def words(self, known, ignores_case, letter, token, steps):
        regex = words(sorted(known), suffix=f"(?!{letter})").get()
        return [*js_rule(re.compile(regex, re.IGNORECASE if ignores_case else 0)), class_of(token), steps]

    def steps(self, next_states):
        if next_states is None:
            return []
        if isinstance(next_states, int):
            return [next_states]
        return list(next_states) if isinstance(next_states, tuple) else [next_states]

    def action(self, lexer, action):
        if action is None:
            return ""
        if isinstance(action, _TokenType):
            return class_of(action)
        name = name_of(action)
        if name in SAYS:
            return said(SAYS[name])
        kind = name.split(".")[0]
        inner = inspect.getclosurevars(action).nonlocals if inspect.isfunction(action) else {}
        if kind == "bygroups":
            return [None if one is None else self.action(lexer, one) for one in inner["args"]]
        if kind == "_starts_block":
            return class_of(inner["token"])
        if kind == "using":
            stack = list(inner["gt_kwargs"].get("stack", ["root"]))
            other = inner.get("_other", lexer)
            other = INSTEAD.get(other.__name__, other)
            try:
                return {"by": self.add(other), "in": stack}
            except NotTold as error:
                self.untold.append(str(error))
                return ""
        self.untold.append(f"{lexer.__name__} runs {action.__qualname__}")
        return ""


def samples():
    text = (pathlib.Path(__file__).parent / "samples.txt").read_text()
    parts = re.split(r"^=== (.*)\n", text, flags=re.MULTILINE)[1:]
    return {name: code.rstrip("\n") for name, code in zip(parts[::2], parts[1::2])}


def spans(tokens, length):
    """As src/kernel/markdown/code/spans.js writes them."""
    html = now = blank = ""
    for _, token, text in [*tokens, (0, Token, "")]:
        text, length = text[:length], length - len(text)
        name = class_of(token)
        if text.strip() == "" and token is not Token:
            blank += text
            continue
        close = "</span>" if name != now and now else ""
        html += close + blank + (f'<span class="{name}">' if name != now and name else "")
        html += text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        now, blank = name, ""
    return html


def main():
    codes = samples()
    shown = {}
    names = json.loads((ROOM / "data/lexers.data.json").read_text())
    highlighters = json.loads((ROOM / "code/highlighters.data.json").read_text())
    for file in FOLDER.glob("*.data.json"):
        file.unlink()
    told = {}
    for name in sorted(names):
        if not highlighters.get(name, "@").startswith("@"):
            continue
        lexer = OWN.get(name, find_lexer_class(name))
        tables = Tables()
        try:
            first = tables.add(lexer)
        except NotTold as error:
            print(name, "|", error)
            continue
        for what in sorted(set(tables.untold)):
            print(name, "|", what)
        file = re.sub(r"[^a-z0-9]+", "-", names[name][0])
        told[name] = "@" + file
        begin = ["+i6t-root"] if name == "Inform 6 template" else ["root"]
        text = json.dumps({"first": first, "begin": begin, "lexers": tables.lexers}, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{file}.data.json").write_text(text.replace("]],", "]],\n") + "\n")
        code = codes.get(name, "")
        shown[name] = {"code": code}
        if name not in LESS:
            shown[name]["html"] = spans(lexer().get_tokens_unprocessed(code + "\n"), len(code))
    text = json.dumps(shown, ensure_ascii=False, indent=0)
    (ROOM / "code/lexer-samples.data.json").write_text(text + "\n")
    written = {**{name: one for name, one in highlighters.items() if not one.startswith("@")}, **told}
    (ROOM / "code/highlighters.data.json").write_text(json.dumps(written, indent=2, sort_keys=True) + "\n")
    print(len(told), "tables,", sum(file.stat().st_size for file in FOLDER.iterdir()), "bytes")


main()
