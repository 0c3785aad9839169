"""How moments are written where a page says nothing else: a package a language, as Django reads them."""
