"""Irregularities of the cards that players hold: boxed, exposed, misread, miscounted, at the wrong seat."""
