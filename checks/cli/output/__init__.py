"""What the commands share: tables, files, numbers, progress, signals."""
