"""Side channels of designs, before silicon: time, and traces of energy under a t-test."""
