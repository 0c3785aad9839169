"""The connections to the browsers, and the loop that owns time."""
