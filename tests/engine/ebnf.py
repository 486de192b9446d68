"""A grammar in the ISO's notation as regular expressions, for grammars that do not nest."""

import re

TOKEN = re.compile(r"""\s*("[^"]*"|'[^']*'|\? U\+\w{4} \?|\d+|[a-z]+|[*,|()\[\]{}])""")
GROUPS = {"(": (")", ""), "[": ("]", "?"), "{": ("}", "*")}


class Grammar:
    def __init__(self, text: str) -> None:
        self.bodies = dict(re.findall(r"^(\w+) *= (.*?) ;$", text, re.DOTALL | re.MULTILINE))

    def matches(self, name: str, text: str) -> bool:
        """Whether all of the text is what the grammar calls so."""
        return re.fullmatch(self.expression(name), text) is not None

    def expression(self, name: str) -> str:
        tokens = TOKEN.findall(self.bodies[name])
        expression = self.choice(tokens)
        assert not tokens, tokens
        return expression

    def choice(self, tokens: list[str]) -> str:
        branches = [self.sequence(tokens)]
        while tokens[:1] == ["|"]:
            del tokens[0]
            branches.append(self.sequence(tokens))
        return f"(?:{'|'.join(branches)})"

    def sequence(self, tokens: list[str]) -> str:
        factors = [self.factor(tokens)]
        while tokens[:1] == [","]:
            del tokens[0]
            factors.append(self.factor(tokens))
        return "".join(factors)

    def factor(self, tokens: list[str]) -> str:
        token = tokens.pop(0)
        if token in GROUPS:
            end, repeat = GROUPS[token]
            inner = self.choice(tokens)
            assert tokens.pop(0) == end
            return inner + repeat
        if token.isdecimal():
            assert tokens.pop(0) == "*"
            return f"{self.factor(tokens)}{{{token}}}"
        if token[0] == "?":
            return re.escape(chr(int(token[4:8], 16)))
        return re.escape(token[1:-1]) if token[0] in "'\"" else self.expression(token)
