CREATE TABLE "presets" (
	"id" text PRIMARY KEY,
	"user_id" bigint NOT NULL,
	"model_id" text NOT NULL,
	"name" text NOT NULL,
	"answers" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presets_name" UNIQUE("user_id","model_id","name")
);
--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "awaits_top_up" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "unfit_prompt" text;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");