ALTER TABLE "turns" ADD COLUMN "refunded" bigint;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "delivery" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "sent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "lease" text;--> statement-breakpoint
CREATE INDEX "turns_unsent" ON "turns" ("send_at") WHERE "delivery" = 'pending';