"""Reading requests for the arguments of tools without examples."""
