"""The embedded physical tool, which needs only what the set-up installs."""
