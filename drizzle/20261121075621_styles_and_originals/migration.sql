CREATE TABLE "styles" (
	"id" text PRIMARY KEY,
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "artifacts" ADD COLUMN "original_file_id" text;--> statement-breakpoint
CREATE INDEX "styles_user" ON "styles" ("user_id","created_at");--> statement-breakpoint
ALTER TABLE "styles" ADD CONSTRAINT "styles_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");