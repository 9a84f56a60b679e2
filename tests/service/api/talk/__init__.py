"""Talk: messages, who can read them, and that nobody else sees a trace of them."""
