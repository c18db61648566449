"""Objects, programs and recorded runs as something that can be asked; programs run in a sandbox."""
