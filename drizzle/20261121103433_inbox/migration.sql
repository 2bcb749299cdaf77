CREATE TABLE "budgets" (
	"name" text PRIMARY KEY,
	"tokens" double precision NOT NULL,
	"filled_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "duties" (
	"name" text PRIMARY KEY,
	"holder" text NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "updates" (
	"id" bigint PRIMARY KEY,
	"seq" bigint UNIQUE GENERATED ALWAYS AS IDENTITY (sequence name "updates_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"body" text,
	"chat_id" bigint,
	"person_id" bigint,
	"received_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp with time zone,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "update_id" bigint;--> statement-breakpoint
ALTER TABLE "turns" ADD CONSTRAINT "turns_update_id_key" UNIQUE("update_id");--> statement-breakpoint
CREATE INDEX "updates_due" ON "updates" ("seq") WHERE "done_at" is null;--> statement-breakpoint
CREATE INDEX "updates_chat" ON "updates" ("chat_id","seq") WHERE "done_at" is null;--> statement-breakpoint
CREATE INDEX "updates_person" ON "updates" ("person_id","seq") WHERE "done_at" is null;--> statement-breakpoint
CREATE INDEX "updates_done" ON "updates" ("done_at");