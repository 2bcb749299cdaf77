CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL UNIQUE,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"chat_id" bigint,
	"amount" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp with time zone,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "task_candidates" (
	"generation_id" text,
	"task_id" text,
	"rank" integer NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL,
	"told_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "task_candidates_pkey" PRIMARY KEY("generation_id","task_id")
);
--> statement-breakpoint
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
ALTER TABLE "turns" ADD COLUMN "refunded" bigint;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "delivery" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "parts" jsonb;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "sent" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "lease" text;--> statement-breakpoint
ALTER TABLE "artifacts" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE "duties" ADD COLUMN "contested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "updates" ADD COLUMN "abandoned" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "updates" ADD COLUMN "set_aside_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "turns_unsent" ON "turns" ("send_at") WHERE "delivery" = 'pending';--> statement-breakpoint
CREATE INDEX "notices_due" ON "notices" ("due_at") WHERE "done_at" is null;--> statement-breakpoint
CREATE INDEX "notices_done" ON "notices" ("done_at");--> statement-breakpoint
CREATE INDEX "message_notes_user" ON "message_notes" ("user_id");--> statement-breakpoint
CREATE INDEX "message_notes_created" ON "message_notes" ("created_at");--> statement-breakpoint
CREATE INDEX "updates_set_aside" ON "updates" ("set_aside_at") WHERE "set_aside_at" is not null;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "task_candidates" ADD CONSTRAINT "task_candidates_generation_id_generations_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id");--> statement-breakpoint
ALTER TABLE "message_notes" ADD CONSTRAINT "message_notes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");