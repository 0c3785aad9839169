"""`python -m tests.playthroughs`: write the transcripts anew, to be read and compared in review."""

from . import HERE, TRANSCRIPTS, text_of

for name in TRANSCRIPTS:
    (HERE / f"{name}.txt").write_text(text_of(name), encoding="utf-8")
    print(f"wrote tests/playthroughs/{name}.txt")
