"""A property-tested reference specification of PTUM and sequential transfer."""
