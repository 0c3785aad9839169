"""The proof format, its verifiers, and the evidence of chance."""
