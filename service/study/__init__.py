"""The study of how winnable the game is: many numbered deals, solved, checked, counted.

`trials` has what is tried with one deal, `tables` the file that keeps it, `runs` does it for a range of deals and goes
on where it was stopped, `summaries` counts, with `intervals` and `plots`. What came of it is in solver/WINNABILITY.md.
"""
