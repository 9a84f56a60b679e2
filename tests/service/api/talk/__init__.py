"""Talk: messages, who can read them, and that they leave no trace for anybody else."""
