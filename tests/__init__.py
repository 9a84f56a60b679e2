"""The tests: `engine` clause by clause, `service` with real servers, `games` whole games; here documents and `.ci`."""
