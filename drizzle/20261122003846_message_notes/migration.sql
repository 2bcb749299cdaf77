CREATE TABLE "message_notes" (
	"chat_id" bigint,
	"message_id" integer,
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"about" jsonb NOT NULL,
	"taken_by" bigint,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "message_notes_pkey" PRIMARY KEY("chat_id","message_id")
);
--> statement-breakpoint
CREATE INDEX "message_notes_user" ON "message_notes" ("user_id");--> statement-breakpoint
CREATE INDEX "message_notes_created" ON "message_notes" ("created_at");--> statement-breakpoint
ALTER TABLE "message_notes" ADD CONSTRAINT "message_notes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");