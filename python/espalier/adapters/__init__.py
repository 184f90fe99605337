"""Adapters for trainers and evaluation frameworks. Each module needs the library that it is named after."""
