"""What is said between tables and room: subjects, levels, batches of records, requests and their answers. Pure."""
