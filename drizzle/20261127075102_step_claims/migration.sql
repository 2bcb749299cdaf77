DROP INDEX IF EXISTS "generations_due";--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_to_ask" ON "generations" ("next_check_at") WHERE "delivery" <> 'pending' and "next_check_at" is not null;