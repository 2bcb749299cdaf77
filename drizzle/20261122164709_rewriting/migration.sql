ALTER TABLE "turns" ADD COLUMN "draft_id" text;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "written_prompt" text;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "rewriting_id" text;