"""What the house does when it is due: opens rounds, draws chance, closes betting, settles. Called by dealers only.

Every call names the epoch of the caller's lease and does one thing or nothing: whoever comes late, twice, or back
from the dead, changes nothing.
"""
