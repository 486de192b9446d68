"""How fast live play is, beside an echo and beside its peers; README.md of the folder above tells what is measured."""
