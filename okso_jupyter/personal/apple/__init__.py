"""Apple: asks applications of macOS, by `osascript`; the text of each script is a constant.

In: an application's name, a request, a time limit. Out: JSON data, items by their ids and
`Changes`, or a ToolError. Values go to a script as JSON in its arguments, never into its text.
"""
