"""Settings from YAML and the command line, and the configs that come with the package."""
