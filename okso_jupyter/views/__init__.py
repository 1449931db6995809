"""How things look: HTML and text for a person, with everything escaped.

In: records of the other rooms. Out: text and static HTML; nothing here acts or decides.
Approval, session and magic may import it.
"""
