-- On a large database create the index before, by the same statement with CONCURRENTLY: docs/operating.md, "Upgrading a large database".
CREATE INDEX IF NOT EXISTS "generations_given_up" ON "generations" ("attempts") WHERE "delivery" = 'undeliverable';
