CREATE INDEX "generations_next" ON "generations" ("state","next_check_at") WHERE "next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "generations_undelivered" ON "generations" ("next_check_at") WHERE "delivery" = 'pending';--> statement-breakpoint
CREATE INDEX "generations_running" ON "generations" ("submitted_at") WHERE "state" = 'running';