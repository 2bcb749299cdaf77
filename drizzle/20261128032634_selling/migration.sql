CREATE TABLE "code_uses" (
	"user_id" bigint,
	"code" text,
	"is_waiting" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "code_uses_pkey" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
CREATE TABLE "tax_receipts" (
	"id" text PRIMARY KEY,
	"provider" text NOT NULL,
	"charge_id" text NOT NULL,
	"user_id" bigint NOT NULL,
	"inn" text NOT NULL,
	"amount" bigint NOT NULL,
	"url" text,
	"sent_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"said" text,
	"lease" text,
	"lease_until" timestamp with time zone,
	"claims" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tax_receipts_amount" CHECK ("amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "broadcast_recipients" (
	"broadcast_id" text,
	"user_id" bigint,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "broadcast_recipients_pkey" PRIMARY KEY("broadcast_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "operator_topics" (
	"chat_id" bigint,
	"name" text,
	"topic_id" integer,
	"told_until" timestamp with time zone,
	CONSTRAINT "operator_topics_pkey" PRIMARY KEY("chat_id","name")
);
--> statement-breakpoint
CREATE TABLE "refund_days" (
	"operator_id" bigint,
	"day" date,
	"refunded" bigint NOT NULL,
	"most" bigint NOT NULL,
	CONSTRAINT "refund_days_pkey" PRIMARY KEY("operator_id","day"),
	CONSTRAINT "refund_days_within_limit" CHECK ("refunded" <= "most")
);
--> statement-breakpoint
CREATE TABLE "moved_chats" (
	"from_id" bigint PRIMARY KEY,
	"to_id" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "promo_codes" ADD COLUMN "percent" integer;--> statement-breakpoint
ALTER TABLE "promo_codes" ADD COLUMN "batch" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "bonus" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "partner_percent" integer;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "quiet_days" integer DEFAULT 14 NOT NULL;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "button" jsonb;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "start_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "code_uses_waiting" ON "code_uses" ("user_id") WHERE "is_waiting";--> statement-breakpoint
CREATE INDEX "code_uses_code" ON "code_uses" ("code");--> statement-breakpoint
CREATE INDEX "promo_codes_batch" ON "promo_codes" ("batch") WHERE "batch" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "tax_receipts_payment" ON "tax_receipts" ("provider","charge_id");--> statement-breakpoint
CREATE INDEX "tax_receipts_due" ON "tax_receipts" ("due_at") WHERE "due_at" is not null;--> statement-breakpoint
CREATE INDEX "broadcast_recipients_user" ON "broadcast_recipients" ("user_id");--> statement-breakpoint
ALTER TABLE "code_uses" ADD CONSTRAINT "code_uses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "code_uses" ADD CONSTRAINT "code_uses_code_promo_codes_code_fkey" FOREIGN KEY ("code") REFERENCES "promo_codes"("code");--> statement-breakpoint
ALTER TABLE "tax_receipts" ADD CONSTRAINT "tax_receipts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "broadcast_recipients" ADD CONSTRAINT "broadcast_recipients_broadcast_id_broadcasts_id_fkey" FOREIGN KEY ("broadcast_id") REFERENCES "broadcasts"("id");--> statement-breakpoint
ALTER TABLE "broadcast_recipients" ADD CONSTRAINT "broadcast_recipients_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");