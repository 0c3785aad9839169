"""The contract between the house and its games.

A round is a log: options and an opening, then actions. State is the fold of that log:

    round = game.opened(options, opening)
    for action in log: round = round.apply(action)

Everything else the house asks of a game is a question to the folded round. Bettors are opaque keys (`"p7"`);
the rules know who sits where and who staked what, never a name or a balance.
"""
