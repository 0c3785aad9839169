"""What a viewer may see, as HTML: the fragments of the felt, for page and push alike.

A fragment is one element whose id is its name. The page is made of the very strings that are pushed, so what was
pushed is what a fresh load would show. What everybody sees and what one viewer sees are kept apart: the first is
rendered once for all sockets of a table.

What differs between games is in `tables.felt.games`; what they share is here and in templates/table/.
"""
