"""Mail: stores, servers and messages."""
