"""Pandas functions: the source of the functions that written pandas code defines for itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.tables.cells import NUMBER

#: Functions that the code defines, by the function of a query.
OF_MEASURES: Final[Mapping[str, str]] = {
    "missing": """\
def missing_cells(cells):
    return cells.isna().sum()
""",
    "missing percent": """\
def missing_percent(cells):
    return 100 * cells.isna().mean()
""",
    "most common": """\
def most_common(cells):
    counts = cells.groupby(cells, sort=False).size()
    return counts.idxmax() if len(counts) else None
""",
    "least common": """\
def least_common(cells):
    counts = cells.groupby(cells, sort=False).size()
    return counts.idxmin() if len(counts) else None
""",
    "outliers": """\
def outliers(values):
    if not values.count():
        return float("nan")
    low, high = values.quantile(0.25), values.quantile(0.75)
    margin = 1.5 * (high - low)
    return ((values < low - margin) | (values > high + margin)).sum()
""",
    "normality": """\
def normality(values):
    values = values.dropna()
    if len(values) < 3 or values.nunique() == 1:
        return float("nan")
    return stats.shapiro(values).pvalue
""",
}
CORRELATION_P: Final = """\
def correlation_p(pair):
    pair = pair.dropna()
    if len(pair) < 3 or (pair.nunique() == 1).any():
        return float("nan")
    return stats.pearsonr(pair.iloc[:, 0], pair.iloc[:, 1]).pvalue
"""
#: Whether values are further than 1.5 interquartile ranges from the quartiles, and z-scores.
OUTLYING: Final = """\
def outlying(values):
    low, high = values.quantile(0.25), values.quantile(0.75)
    margin = 1.5 * (high - low)
    return (values < low - margin) | (values > high + margin)
"""
COMMONEST_CASE: Final = """\
def commonest_case(cells):
    def commonest(alike):
        return alike.value_counts(sort=False).idxmax()

    return cells.groupby(cells.str.lower()).transform(commonest)
"""
ENDS: Final = """\
def ends(values):
    return values.isin([values.min(), values.max()]) & values.notna()
"""
Z_SCORES: Final = """\
def z_scores(values):
    return (values - values.mean()) / values.std(ddof=0)
"""
#: The values of cells; as it is written what has none.
SHOWN: Final = """\
def shown(values, cells):
    unread = values.isna() & cells.notna()
    return values.astype(object).mask(unread, cells) if unread.any() else values
"""
NUMBER_OF_TEXT: Final = (
    "def number(cells):\n"
    '    """The first number in each cell."""\n'
    f'    found = cells.str.extract(r"({NUMBER})")[0]\n'
    '    return pd.to_numeric(found.str.replace(",", "").str.replace("−", "-"), errors="coerce")\n'
)


_TEXT: Final = """\
def text(cell):
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "seconds").removesuffix(" 00:00:00")
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
"""
#: How cells of a variable or a workbook are written, and how those of other files.
TEXT_OF_OBJECT: Final = f"{_TEXT}    return str(cell)\n"
TEXT_OF_VALUE: Final = f"""\
{_TEXT}\
    if isinstance(cell, (bool, dict, list)):
        return json.dumps(cell, ensure_ascii=False, separators=(",", ":"))
    return str(cell)
"""
#: The slices of a pie; of many, the smallest are one.
SLICES: Final = """\
def slices(values):
    values = values[values != 0].dropna()
    if len(values) <= 12:
        return values
    is_large = values.rank(method="first", ascending=False) <= 11
    return pd.concat([values[is_large], pd.Series({"other": values[~is_large].sum()})])
"""
JSON_RECORDS: Final = """\
def json_records(path):
    content = Path(path).read_text(encoding="utf-8")
    try:
        data = json.loads(content)
    except ValueError:
        data = [json.loads(line) for line in content.splitlines() if line.strip()]
    return data if isinstance(data, list) else [data]
"""
SHEET_ROWS: Final = """\
def sheet_rows(path):
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    sheet = next(each for each in book.worksheets if each.sheet_state == "visible")
    return [row for row in sheet.iter_rows(values_only=True) if set(row) - {None, ""}]
"""
MARKDOWN_ROWS: Final = """\
def markdown_rows(path):
    rows = []
    for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        if line.lstrip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    return [row for row in rows if not all(cell and set(cell) <= set(":- ") for cell in row)]
"""
