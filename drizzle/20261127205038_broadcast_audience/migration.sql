ALTER TABLE "users" ADD COLUMN "news_off_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "audience" text DEFAULT 'all' NOT NULL;