"""What becomes of a model's answer: cut into claims, its copied words lifted into quotations, its orders left out."""
