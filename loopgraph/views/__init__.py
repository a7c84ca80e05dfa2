"""What a person sees: values to text."""
