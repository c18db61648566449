"""Deep searches, the page about them, and why some claims have none."""
