ALTER TABLE "generations" ADD COLUMN "hidden_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "favourite_at" timestamp with time zone;