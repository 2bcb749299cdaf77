ALTER TABLE "artifacts" ADD COLUMN "seed" bigint;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "seed" bigint;