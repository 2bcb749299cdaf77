ALTER TABLE "drafts" ADD COLUMN "update_id" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "greeted_at" timestamp with time zone;--> statement-breakpoint
UPDATE "users" SET "greeted_at" = "created_at";--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_update_id_key" UNIQUE("update_id");