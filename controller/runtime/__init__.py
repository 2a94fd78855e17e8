"""Threads, clocks and the disk live here and nowhere else.

One loop owns the table. Port readers and the pin sampler only put messages on its queue; what they bring is
translated into table events (`devices`), written to the journal, and only then handled. The answer is offered to
every driver and to the subscribers. Recovery is the same road from the journal instead of the queue.
"""
