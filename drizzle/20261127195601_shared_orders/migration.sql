ALTER TABLE "generations" ADD COLUMN "shared_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "idea_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "generations_ideas" ON "generations" ("idea_at") WHERE "idea_at" is not null;