"""Who plays here: accounts, restrictions, the chat."""
