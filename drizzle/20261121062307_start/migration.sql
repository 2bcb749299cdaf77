CREATE TABLE "artifacts" (
	"generation_id" text,
	"position" integer,
	"url" text NOT NULL,
	"file_id" text,
	"message_id" integer,
	CONSTRAINT "artifacts_pkey" PRIMARY KEY("generation_id","position")
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"user_id" bigint PRIMARY KEY,
	"available" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "balances_not_negative" CHECK ("available" >= 0 and "held" >= 0)
);
--> statement-breakpoint
CREATE TABLE "conversation_states" (
	"key" text PRIMARY KEY,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"id" text PRIMARY KEY,
	"user_id" bigint NOT NULL,
	"chat_id" bigint NOT NULL,
	"thread_id" integer,
	"model_id" text NOT NULL,
	"answers" jsonb NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"card_message_id" integer,
	"state" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" text PRIMARY KEY,
	"quote_id" text NOT NULL UNIQUE,
	"draft_id" text NOT NULL UNIQUE,
	"user_id" bigint NOT NULL,
	"chat_id" bigint NOT NULL,
	"thread_id" integer,
	"model_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"amount" bigint NOT NULL,
	"captured" bigint,
	"state" text NOT NULL,
	"progress" text,
	"task_id" text UNIQUE,
	"callback_token" text NOT NULL UNIQUE,
	"reason" text,
	"said" text,
	"delivery" text DEFAULT 'none' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_check_at" timestamp with time zone,
	"callback_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"lease_until" timestamp with time zone,
	"lease" text,
	"status_message_id" integer,
	"created_at" timestamp with time zone NOT NULL,
	"submitted_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"delivered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"provider" text,
	"charge_id" text,
	"top_up_id" text NOT NULL,
	"user_id" bigint NOT NULL,
	"credit" bigint NOT NULL,
	"charge" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payments_pkey" PRIMARY KEY("provider","charge_id")
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text PRIMARY KEY,
	"draft_id" text NOT NULL,
	"revision" integer NOT NULL,
	"user_id" bigint NOT NULL,
	"model_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"amount" bigint NOT NULL,
	"gateway_cost" bigint NOT NULL,
	"parts" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "quotes_amount_positive" CHECK ("amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "sales_stops" (
	"cause" text PRIMARY KEY,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" text PRIMARY KEY,
	"user_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"credit" bigint NOT NULL,
	"charge" bigint NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transfers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL UNIQUE,
	"kind" text NOT NULL,
	"user_id" bigint NOT NULL,
	"debit" text NOT NULL,
	"credit" text NOT NULL,
	"amount" bigint NOT NULL,
	"generation_id" text,
	"top_up_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transfers_amount_positive" CHECK ("amount" > 0),
	CONSTRAINT "transfers_two_accounts" CHECK ("debit" <> "credit")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"telegram_id" bigint UNIQUE,
	"language" text,
	"telegram_language" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "drafts_user" ON "drafts" ("user_id","updated_at");--> statement-breakpoint
CREATE INDEX "generations_due" ON "generations" ("next_check_at") WHERE "next_check_at" is not null;--> statement-breakpoint
CREATE INDEX "generations_user" ON "generations" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "quotes_draft" ON "quotes" ("draft_id");--> statement-breakpoint
CREATE INDEX "top_ups_user" ON "top_ups" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "transfers_user" ON "transfers" ("user_id","id");--> statement-breakpoint
CREATE INDEX "transfers_generation" ON "transfers" ("generation_id");--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_generation_id_generations_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id");--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_quote_id_quotes_id_fkey" FOREIGN KEY ("quote_id") REFERENCES "quotes"("id");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_draft_id_drafts_id_fkey" FOREIGN KEY ("draft_id") REFERENCES "drafts"("id");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_top_up_id_top_ups_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups"("id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_draft_id_drafts_id_fkey" FOREIGN KEY ("draft_id") REFERENCES "drafts"("id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_user_id_balances_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "balances"("user_id");