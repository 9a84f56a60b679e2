"""What is kept, on one server and on a cluster; whatever a commit means is left open here."""
