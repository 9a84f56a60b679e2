"""The tests: `engine` clause by clause, `service` with real servers, `games` whole games; here those of documents."""
