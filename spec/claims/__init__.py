"""The claims of the paper, one module per part of it. Only `spec.ledger` imports them."""
