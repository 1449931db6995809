"""Mail: reads a Maildir or an IMAP server, keeps drafts there, sends by SMTP with TLS.

In: `MailSettings`, and an `OutgoingMail`. Out: `MailListing`, `SavedDraft`, or a ToolError.
Stores are behind the protocol `MailStore`; a package adds one by an entry point.
"""
