CREATE INDEX "generations_settled" ON "generations" ("settled_at");--> statement-breakpoint
CREATE INDEX "transfers_time" ON "transfers" ("created_at");