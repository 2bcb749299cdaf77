ALTER TABLE "generations" ADD COLUMN "deadline_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "arrived_late_at" timestamp with time zone;