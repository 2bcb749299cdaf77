CREATE TABLE "alarms" (
	"name" text PRIMARY KEY,
	"fact" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"said_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "broadcasts" (
	"id" text PRIMARY KEY,
	"chat_id" bigint NOT NULL,
	"message_id" integer NOT NULL,
	"state" text NOT NULL,
	"last_user_id" bigint DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "operator_actions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"operator_id" bigint,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text,
	"details" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"code" text PRIMARY KEY,
	"amount" bigint NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	"max_uses" integer NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "promo_codes_uses" CHECK ("uses" <= "max_uses")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" text PRIMARY KEY,
	"generation_id" text NOT NULL UNIQUE,
	"user_id" bigint NOT NULL,
	"said" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "switches" (
	"name" text PRIMARY KEY,
	"since" timestamp with time zone NOT NULL,
	"operator_id" bigint
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "refunded" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "chat_id" bigint;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "next_check_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "username" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "referrer_id" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "banned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "forgotten_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_external_id_key" UNIQUE("external_id");--> statement-breakpoint
CREATE INDEX "operator_actions_subject" ON "operator_actions" ("subject","id");--> statement-breakpoint
CREATE INDEX "top_ups_due" ON "top_ups" ("next_check_at") WHERE "next_check_at" is not null;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_generation_id_generations_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id");--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_referrer_id_users_id_fkey" FOREIGN KEY ("referrer_id") REFERENCES "users"("id");