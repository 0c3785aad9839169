"""What no linter knows about this house: templates, catalogues, the ledger, deployment, documents.

`python -m casino.checks` runs all of them (`make check` does). Each check yields its complaints as sentences.
"""
