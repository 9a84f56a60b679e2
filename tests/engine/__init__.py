"""Tests of the rules, by clause and by case: positions given in a few words (`table`), moves made, events compared."""
