"""A policy file is read completely or not at all; an error names file, line and reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from okso_jupyter.errors import PolicyError
from okso_jupyter.policies.policy_file import NAME, read_rules
from tests.each_row import each_row

RULES = """\
# what may run without a question
[[rule]]
decision = "deny"
path = "data/private"
reason = "nobody's business"

[[rule]]
decision = "allow"
tool = ["file_write", "file_edit"]
path = "results"
args = { mode = "create" }
"""


def test_rules_are_read_in_order_with_their_lines() -> None:
    """A pattern may be one text or a list; each rule knows where it stands and tells itself."""
    deny, allow = read_rules(RULES.encode(), NAME)
    assert (deny.decision, deny.path, deny.line) == ("deny", ("data/private",), 2)
    assert (allow.tool, allow.line) == (("file_write", "file_edit"), 7)
    assert str(allow) == "allow tool file_write or file_edit, path results, mode = create"
    assert str(deny.matched) == (
        f"the rule {NAME}:2 denies this (deny path data/private): nobody's business"
    )


def test_the_rules_of_the_docs_are_valid() -> None:
    """The example in docs/policies.md is a policy."""
    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert [rule.decision for rule in read_rules(example.encode(), NAME)] == [
        "deny", "ask", "allow", "allow", "allow",
    ]  # fmt: skip


def test_an_empty_file_has_no_rules() -> None:
    """Nothing in the file is no error."""
    assert read_rules(b"", NAME) == ()


@each_row(
    ("text", "says"),
    [
        ('[[rule]]\ndecision = "allow"\n\ntol = "x"', "line 4: there is no 'tol'.*mean tool"),
        ('[[rules]]\ndecision = "allow"', "line 1: there is no 'rules'.*mean rule"),
        ('[[rule]]\ndecision = "alow"\ntool = "x"', "line 2: decision = 'alow'.*mean allow"),
        ('[[rule]]\ntool = "x"', "line 1: this rule has no decision"),
        ('[[rule]]\ndecision = "ask"\neffect = ["reeds"]', "line 3: effect = 'reeds'.*mean reads"),
        ('[[rule]]\ndecision = "ask"\norigin = "net"', "line 3: origin = 'net'.*typed"),
        ('[[rule]]\ndecision = "ask"\npath = 3', "line 3: path = 3 is neither a text nor a list"),
        ('[[rule]]\ndecision = "ask"\npath = []', "line 3: path"),
        ('[[rule]]\ndecision = "ask"\npath = ""', "line 3: path"),
        ('[[rule]]\ndecision = "ask"\npath = "a/../.."', "line 1: .*leads upwards"),
        ('[[rule]\ndecision = "ask"', "is not TOML: .*line 1"),
        ('[[rule]]\ndecision = "allow"\ntool = "*"', "line 1: this rule allows every call"),
        ('[[rule]]\ndecision = "allow"', "line 1: this rule allows every call"),
        ('[[rule]]\ndecision = "allow"\ntool = ["a", "**"]\npath = "**"', "allows every call"),
        ('[[rule]]\ndecision = "allow"\ntool = "x"\nwhen = "trifecta"', "allows trifecta"),
        ("\ufffe", "is not TOML"),
    ],
)
def test_a_mistake_is_an_error_with_its_line(text: str, says: str) -> None:
    """No rule of a file with a mistake counts, and the error is one sentence with the place."""
    with pytest.raises(PolicyError, match=says) as caught:
        read_rules(text.encode(), NAME)
    assert caught.value.message.startswith(NAME)
    assert "nothing runs" in caught.value.hint


def test_a_file_that_is_no_text_or_too_long_is_an_error() -> None:
    """Bytes that are not UTF-8, and a file without end."""
    for content in (b"\xff\xfe\x00", b"#" * 70_000):
        with pytest.raises(PolicyError):
            read_rules(content, NAME)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('decision="allow"\ntool="a"', 'decision="deny"\ntool="a"'),
        ('decision="allow"\npath="r"', 'decision="deny"\npath="r"'),
        ('decision="allow"\ntool="file_*"', 'decision="deny"\ntool="file_write"\npath="x"'),
        ('decision="deny"', 'decision="allow"\ntool="a"'),
        ('decision="ask"\ntool="a"', 'decision="deny"\ntool="a"\nwhen="trifecta"'),
        ('decision="deny"\npath="*"', 'decision="allow"\npath="r"'),
    ],
)
def test_rules_that_contradict_are_an_error(first: str, second: str) -> None:
    """A rule that an earlier one leaves nothing for is named with both lines."""
    with pytest.raises(PolicyError, match=r"contradicts the rule in line 1 "):
        read_rules(f"[[rule]]\n{first}\n[[rule]]\n{second}".encode(), NAME)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('decision="allow"\ntool="a"\npath="r"', 'decision="deny"\ntool="a"'),
        ('decision="allow"\npath="r"', 'decision="deny"\npath="r/secret"'),
        ('decision="deny"\nwhen="trifecta"', 'decision="allow"\ntool="a"'),
        ('decision="ask"\neffect="writes"', 'decision="allow"\neffect=["writes", "reads"]'),
        ('decision="allow"\ntool="a"', 'decision="deny"'),
    ],
)
def test_an_exception_before_a_general_rule_is_no_error(first: str, second: str) -> None:
    """Rules that overlap are decided by their order."""
    assert len(read_rules(f"[[rule]]\n{first}\n[[rule]]\n{second}".encode(), NAME)) == 2
