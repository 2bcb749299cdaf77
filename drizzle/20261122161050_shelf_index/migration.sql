-- On a large database create the index before, by the same statement with CONCURRENTLY: docs/operating.md, "Upgrading a large database".
CREATE INDEX IF NOT EXISTS "generations_shelf" ON "generations" ("user_id","created_at","id","hidden_at","chat_id","model_id","state","favourite_at");--> statement-breakpoint
DROP INDEX IF EXISTS "generations_history";
