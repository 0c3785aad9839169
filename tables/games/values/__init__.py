"""What rules are written with: cards, money, words, exact expectations."""
