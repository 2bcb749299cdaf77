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
CREATE UNIQUE INDEX "tax_receipts_payment" ON "tax_receipts" ("provider","charge_id");--> statement-breakpoint
CREATE INDEX "tax_receipts_due" ON "tax_receipts" ("due_at") WHERE "due_at" is not null;--> statement-breakpoint
ALTER TABLE "tax_receipts" ADD CONSTRAINT "tax_receipts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");