CREATE TABLE "threads" (
	"id" text PRIMARY KEY,
	"user_id" bigint NOT NULL,
	"chat_id" bigint NOT NULL,
	"topic_id" integer DEFAULT 0 NOT NULL,
	"model_id" text NOT NULL,
	"system" text,
	"modes" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"id" text PRIMARY KEY,
	"thread_id" text NOT NULL,
	"user_id" bigint NOT NULL,
	"model_id" text NOT NULL,
	"question" text NOT NULL,
	"files" jsonb NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"thinking" text DEFAULT '' NOT NULL,
	"sources" jsonb NOT NULL,
	"state" text NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint,
	"input_tokens" integer,
	"output_tokens" integer,
	"is_estimate" boolean DEFAULT false NOT NULL,
	"question_message_id" integer,
	"answer_message_id" integer,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "turn_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "threads_open" ON "threads" ("chat_id","topic_id") WHERE "closed_at" is null;--> statement-breakpoint
CREATE INDEX "threads_user" ON "threads" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "transfers_turn" ON "transfers" ("turn_id");--> statement-breakpoint
CREATE INDEX "turns_thread" ON "turns" ("thread_id","created_at");--> statement-breakpoint
CREATE INDEX "turns_user" ON "turns" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "turns_due" ON "turns" ("lease_until") WHERE "state" = 'streaming';--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_thread_id_threads_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "threads"("id");--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");