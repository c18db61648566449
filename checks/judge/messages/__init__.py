"""What the judge and an implementation say to each other, and how it is kept."""
