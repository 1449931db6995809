"""Readable SQL: what ibis writes, without the nesting that a person would not write.

The engine runs this SQL, so that what is shown is what runs.
"""

from __future__ import annotations

from typing import Final

import ibis
import ibis.expr.types as ir
import sqlglot as sg
import sqlglot.expressions as sge
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from okso_jupyter.tables.typed_table import Names

_DIALECT: Final = "duckdb"
#: Parts of a SELECT that do more than choose columns.
_CLAUSES: Final = ("where", "group", "having", "qualify", "order", "limit", "offset", "distinct")


def sql_of(expression: ir.Table, source: str, names: Names, dialect: str = _DIALECT) -> str:
    """Return the SQL of an expression over the typed table of a source."""
    tree = sg.parse_one(str(ibis.to_sql(expression, dialect=dialect)), read=dialect)
    types = {name: str(kind) for name, kind in names.schema().items()}
    # names are left as they are; those that ignore case would be written small
    as_written = f"{dialect}, normalization_strategy=case_sensitive"
    schema = MappingSchema({source: types}, dialect=as_written, normalize=False)
    # every name is quoted, so that none is changed
    for name in tree.find_all(sge.Identifier):
        name.args["quoted"] = True
    tree = qualify(tree, schema=schema, dialect=as_written, validate_qualify_columns=False)
    tree = _without_choosing(merge_subqueries(tree))
    _drop_lone_alias(tree)
    return tree.sql(dialect=dialect, pretty=True, identify=True)


def _without_choosing(tree: sge.Expr) -> sge.Expr:
    """Return a query without outer ones that do nothing but choose some of its columns."""
    while isinstance(tree, sge.Select) and (inner := _chosen_from(tree)):
        by_name = {column.alias_or_name: column.unalias() for column in inner.expressions}
        wanted = [
            (by_name[column.unalias().name], column.alias_or_name) for column in tree.expressions
        ]
        inner.set(
            "expressions", [sge.alias_(part.copy(), name, quoted=True) for part, name in wanted]
        )
        tree = inner
    return tree


def _chosen_from(tree: sge.Select) -> sge.Select | None:
    """Return the query whose columns this one chooses; None if it does anything else."""
    source = tree.args.get("from_")
    inner = source.this.this if source and isinstance(source.this, sge.Subquery) else None
    if not isinstance(inner, sge.Select) or inner.args.get("distinct"):
        return None
    if tree.args.get("joins") or any(tree.args.get(clause) for clause in _CLAUSES):
        return None
    if not all(isinstance(column.unalias(), sge.Column) for column in tree.expressions):
        return None
    # an order by a column of the result needs it
    order = inner.args.get("order")
    by_result = order and any(not column.table for column in order.find_all(sge.Column))
    return None if by_result else inner


def _drop_lone_alias(tree: sge.Expr) -> None:
    """Drop the names of tables where there is only one."""
    if len(list(tree.find_all(sge.Table, sge.Subquery))) != 1:
        return
    for column in tree.find_all(sge.Column):
        column.set("table", None)
    for table in tree.find_all(sge.Table, sge.Subquery):
        table.set("alias", None)
    for select in tree.find_all(sge.Select):
        select.set("expressions", [_plainly(part) for part in select.expressions])


def _plainly(part: sge.Expr) -> sge.Expr:
    """Return a column without an alias that repeats its name."""
    inner = part.unalias()
    return inner if isinstance(inner, sge.Column) and inner.name == part.alias else part
