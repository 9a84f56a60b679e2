"""What people are sent by e-mail and by notifications in browsers."""
