ALTER TABLE "artifacts" ADD COLUMN "result_id" text;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "provider" text;