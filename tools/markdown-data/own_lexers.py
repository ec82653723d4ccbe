# Lexers whose rules in Pygments are a program, as tables of ours; each says no more than it can tell for sure.
import ast
import inspect
import re
import textwrap

from pygments.lexer import RegexLexer, bygroups, using, words
from pygments.lexers._asy_builtins import ASYFUNCNAME, ASYVARNAME
from pygments.lexers._csound_builtins import DEPRECATED_OPCODES, OPCODES, REMOVED_OPCODES
from pygments.lexers.dylan import DylanLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.lexers.python import PythonLexer
from pygments.lexers.rebol import RebolLexer, RedLexer
from pygments.lexers.algebra import GAPLexer
from pygments.lexers.email import EmailHeaderLexer
from pygments.lexers.html import HtmlLexer
from pygments.lexers.pascal import DelphiLexer
from pygments.lexers.dsls import SnowballLexer
from pygments.lexers.slash import SlashLanguageLexer
from pygments.lexers.templates import TeaTemplateRootLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, Punctuation, String, Text


DYLAN_LETTER = r"[\w!&*<>|^$%@~+/?=-]"


def by_word(callback, letter):
    """Rules by the branches of a function that compares a word with one expression after the other."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(callback)))
    rules = []
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Call):
            pattern = ast.literal_eval(node.test.args[0])
            token = node.body[0].value.value.elts[1]
            whole = re.sub(r"(?<!\\)\.", lambda _: letter, pattern).replace("$", f"(?!{letter})")
            rules.append((rf"(?={whole}){letter}+", eval(compile(ast.Expression(token), "", "eval"))))
    return [*rules, (rf"{letter}+", Name.Variable)]


class Json(RegexLexer):
    tokens = {
        "root": [
            (r'"(?:\\.|[^"\\])*"(?=\s*:)', Name.Tag),
            (r'"(?:\\.|[^"\\])*"', String.Double),
            (r"\b(?:true|false|null)\b", Keyword.Constant),
            (r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", Number),
            (r"[{}\[\],:]", Punctuation),
            (r"\s+|.", Text),
        ]
    }


def session(prompt, lexer):
    """A session: what follows a prompt is code, all else is what was answered."""

    class Session(RegexLexer):
        tokens = {
            "root": [
                (rf"^({prompt})(.*\n)", bygroups(Generic.Prompt, using(lexer))),
                (r".*\n", Generic.Output),
            ]
        }

    Session.__name__ = f"{lexer.__name__}Session"
    return Session


class RobotFramework(RegexLexer):
    flags = re.MULTILINE | re.IGNORECASE
    tokens = {
        "root": [
            (r"^\*+[^*\n]*\**", Generic.Heading),
            (r"#.*$", Comment),
            (r"\[(?:documentation|tags|arguments|setup|teardown|template|timeout|return)\]", Keyword),
            (r"^(?:library|resource|variables|documentation|metadata|(?:suite|test|task) (?:setup|teardown|template|timeout|tags)|(?:force|default) tags|keyword tags)(?=  |\t|\n)", Keyword),
            (r"(?<=  )(?:for|end|if|else if|else|while|try|except|finally|return|break|continue|in|in range|var)(?=  |\n)", Keyword),
            (r"([$@&%]\{)([^}\n]*)(\})(=?)", bygroups(Punctuation, Name.Variable, Punctuation, Operator)),
            (r"^\S[^\n|$@&%]*?(?=  |\t|\n)", Name.Function),
            (r"(?<=^    )\S(?:(?!  |[$@&%]\{)[^\n\t])*", Name.Function),
            (r"\b\d+(?:\.\d+)?\b", Number),
            (r"\n| +|\t+", Text),
            (r"[^\s$@&%#]+|.", String),
        ]
    }


class TypographicNumberTheory(RegexLexer):
    tokens = {
        "root": [
            (r"\[[^\n\]]+\]", Comment),
            (
                words(
                    "joining separation double-tilde detachment contrapositive switcheroo specification generalization "
                    "interchange existence symmetry transitivity induction axiom premise push pop lines line".split(),
                    prefix=r"\b",
                    suffix=r"\b",
                ),
                Keyword,
            ),
            (r"\b(?:fantasy rule|De Morgan|add S|drop S|carry[- ]over(?: of)?(?: line)?|and)\b", Keyword),
            (r"(?<=\s)\d+", Number.Integer),
            (r"S*0|S+(?=[(a-e])", Number.Integer),
            (r"[a-e]['′]*", Name.Variable),
            (r"[AE∀∃](?=[a-e])", Keyword.Declaration),
            (r"[⊃→\]&∧^|∨Vv+.⋅*=~!]|->", Operator),
            (r"[()<>:]", Punctuation),
            (r"\s+|.", Text),
        ]
    }


class Portugol(RegexLexer):
    flags = re.MULTILINE | re.IGNORECASE
    tokens = {
        "root": [
            (r"//.*?$", Comment.Single),
            (r"\{[^}]*\}", Comment.Multiline),
            (words(sorted(DelphiLexer.PORTUGOL_KEYWORDS), prefix=r"\b", suffix=r"\b"), Keyword),
            (words(sorted(DelphiLexer.PORTUGOL_BUILTIN_TYPES), prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (r'"[^"\n]*"|\'[^\'\n]*\'', String),
            (r"\d+(?:\.\d+)?", Number),
            (r"<-|[-+*/^<>=\\]+", Operator),
            (r"[(),;:.\[\]]", Punctuation),
            (r"\w+", Name),
            (r"\s+|.", Text),
        ]
    }


class Mail(EmailHeaderLexer):
    """Headers as Pygments has them, one kind of extension header, and a text that is as it is."""

    tokens = {
        "root": [
            (r"^(X-[\w-]+:)(.*\n(?:[ \t].*\n)*)", bygroups(Name.Tag, Comment)),
            (r"^(?:[A-WYZ]|X400)[\w\-]*:", Name.Tag, "header"),
            (r"^\n(?:.|\n)*", Text),
        ],
        "header": EmailHeaderLexer.tokens["header"],
    }


class Mime(RegexLexer):
    tokens = {
        "root": [
            (r"^([\w-]+)(:)", bygroups(Name.Tag, Operator), "header"),
            (r"^\n(?:.|\n)*", Text),
        ],
        "header": [
            (r"\n(?![ \t])", Text, "#pop"),
            (r"(;\s*)([\w:-]+)(=)(\"[^\"\n]*\"|[^;\s]+)", bygroups(Text, Name.Attribute, Operator, String)),
            (r"\b(multipart|application|audio|font|image|model|text|video|message)(/)([\w.+-]+)", bygroups(Name.Label, String.Delimiter, Name.Label)),
            (r"\b(?:7bit|8bit|base64|quoted-printable|binary)\b", Name.Constant),
            (r"[^\s;]+|\s", Text),
        ],
    }


class Snowball(SnowballLexer):
    """Its strings have escapes between marks that a program may choose; here they are braces."""

    tokens = {
        "string": [
            (r"'", String.Single, "#pop"),
            (r"\{[^}'\n]*\}", String.Escape),
            (r"[^'{]+|\{", String.Single),
        ],
    }


# By the names of Pygments.
OWN = {
    "Coldfusion CFC": type("Cfc", (RegexLexer,), {"flags": re.DOTALL, "tokens": {"root": [
        (r"<!---.*?--->", Comment.Multiline),
        (r"(</?)(cf\w+)", bygroups(Punctuation, Name.Builtin), "tag"),
        (r".+?(?=<!---|</?cf|\Z)", using(HtmlLexer)),
    ], "tag": [
        (r"/?>", Punctuation, "#pop"),
        (r'"[^"]*"|\'[^\']*\'', String),
        (r"\w+(?=\s*=)", Name.Attribute),
        (r"=", Operator),
        (r"\d+", Number),
        (r"[^>\"'=\w/]+|\w+|.", Text),
    ]}}),
    "Dylan session": session(r"\?| ", DylanLexer),
    "E-mail": Mail,
    "GAP session": session(r"gap> |> ", GAPLexer),
    "MIME": Mime,
    "Portugol": Portugol,
    "RobotFramework": RobotFramework,
    "Slash": SlashLanguageLexer,
    "Snowball": Snowball,
    "Tea": TeaTemplateRootLexer,
    "Typographic Number Theory": TypographicNumberTheory,
}

# Lexers that others give parts of a text to, and what does so in their place.
INSTEAD = {"CheetahPythonLexer": PythonLexer, "JsonLexer": Json, "ScalaLexer": JavascriptLexer}

# What functions say of what their rules match, by their names: a token for each group, or for the whole.
SAYS = {
    "ArturoLexer.handle_annotated_strings": (String, String.Interpol, String.Interpol, Text, String, String),
    "BibTeXLexer.open_brace_callback": Punctuation,
    "BibTeXLexer.close_brace_callback": Punctuation,
    "CsoundOrchestraLexer.opcode_name_callback": Name.Function,
    "NotmuchLexer._highlight_code": Text,
    "RstLexer._handle_sourcecode": (Punctuation, Text, Operator.Word, Punctuation, Text, Keyword, Text, *[String] * 4),
    "RubyLexer.gen_rubystrings_rules": String,
    "RubyLexer.heredoc_callback": String.Heredoc,
    "SchemeLexer.decimal_cb": Number,
    "SnowballLexer._string": String,
    "SnowballLexer._stringescapes": (Keyword.Reserved, Text, String.Escape, Text, String.Escape),
    "TiddlyWiki5Lexer._handle_codeblock": (String, String, Text, String, String),
    "TiddlyWiki5Lexer._handle_cssblock": (Name.Tag, Text, String, Name.Tag),
    "WikitextLexer.handle_score": Text,
    "WikitextLexer.handle_syntaxhighlight": Text,
}

OPCODES_OF_CSOUND = sorted({*OPCODES, *DEPRECATED_OPCODES, *REMOVED_OPCODES})
# Rules in place of one whose function reads on, or decides by the text.
RULES = {
    "CsoundOrchestraLexer.name_callback": [
        (words(OPCODES_OF_CSOUND, prefix=r"\b", suffix=r"(?:(:)[A-Za-z])?\b").get(), Name.Builtin),
        (r"\b(g?[afikSw])(\w+)(?:(:)([A-Za-z]))?\b", (Keyword.Type, Name, Punctuation, Name)),
        (r"\b[A-Z_a-z]\w*\b", Name),
    ],
    "MapleLexer.delayed_callback": [(r"('+)([^'\n]*)(\1)", (Punctuation, Name, Punctuation))],
    "TerraformLexer.heredoc_callback": [
        (
            r"(<<-?)\s*([a-zA-Z_]\w*)(.*?\n)((?:.*\n)*?)([ \t]*\2[ \t]*\n)",
            (Operator, String.Delimiter, String.Heredoc, String.Heredoc, String.Delimiter),
        )
    ],
    "RebolLexer.word_callback": by_word(RebolLexer.word_callback, r"[^(^{\")\s/[\]]"),
    "RedLexer.word_callback": by_word(RedLexer.word_callback, r"[^(^{^\")\s/[\]]"),
}

# Languages of which our rules say less than Pygments, or other than it: it reads Cheetah's names anew, knows the names of
# LilyPond's functions, takes what Pug embeds for Scala, and counts the braces of Slash.
LESS = {"Cheetah", "LilyPond", "Pug", "Slash"}

# Words that a lexer tells from other names when it looks at its tokens again: the words, whether in any letter case, a
# letter of names, and what they are. (Lists are in the lexer or in a file beside it.)
WORDS = {
    "AsymptoteLexer": [(ASYFUNCNAME, False, r"\w", Name.Function), (ASYVARNAME, False, r"\w", Name.Variable)],
    "DylanLexer": [
        (DylanLexer.builtins, True, DYLAN_LETTER, Name.Builtin),
        (DylanLexer.keywords, True, DYLAN_LETTER, Keyword),
        (DylanLexer.functions, True, DYLAN_LETTER, Name.Builtin),
        (DylanLexer.operators, True, DYLAN_LETTER, Operator),
    ],
}
