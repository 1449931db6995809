"""Texts for tests of views: real traps, and whatever hypothesis makes up."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.hostile import STRINGS

#: Everyday and hostile texts, characters beside the plane, wide ones, and such as show nothing.
TEXTS = st.one_of(
    st.sampled_from(STRINGS),
    st.text(max_size=80),
    st.text("日本語한국어🙂👩‍👩‍👧 \n\t<>&|`*_$\\\u202e\u200b\x1b\ufffe\uffff", max_size=60),
)
HIDDEN = set("\u202e\u2066\u2069\u200b\ufeff\x00\x07\x1b\x85\x9b")
