"""An MCP server of the SDK over stdio, of the stateless revision, that asks in a call."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Elicit, ElicitationResult, Resolve
from pydantic import BaseModel, Field

SERVER = MCPServer("asking")


class Seat(BaseModel):
    """What a booking needs."""

    name: str = Field(description="Who travels")
    row: int = Field(ge=1, le=40)
    side: Literal["window", "aisle"] = "aisle"
    has_luggage: bool | None = None


def which_seat() -> Elicit[Seat]:
    """Ask which seat it is to be."""
    return Elicit("Which seat?\u202e", Seat)


@SERVER.tool()
def book(seat: Annotated[ElicitationResult[Seat], Resolve(which_seat)]) -> str:
    """Book a seat."""
    return f"booked {seat.data.model_dump_json()}" if seat.action == "accept" else seat.action


if __name__ == "__main__":
    SERVER.run()
