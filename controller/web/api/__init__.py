"""The API for other machines (docs/api.md): its routes, what each role is told, the document that describes them."""
