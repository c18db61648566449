"""What comes of judging: reports, vectors, pages, the self-test."""
