ALTER TABLE "updates" ADD COLUMN "abandoned" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "updates" ADD COLUMN "set_aside_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "updates_set_aside" ON "updates" ("set_aside_at") WHERE "set_aside_at" is not null;