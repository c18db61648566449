"""`ptum validate` and `ptum vectors`: what is asked of the judge. The command imports it."""
