"""Presentation: HTML and text of records, with everything escaped.

The input is records of other packages, the output text and static HTML; nothing here acts or
decides. Approval, session and magic may import it.
"""
