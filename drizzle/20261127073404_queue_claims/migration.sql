ALTER TABLE "turns" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "lease" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "updates" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;