"""What shows that the journal is whole: hash chain, digests, head, receipts."""
