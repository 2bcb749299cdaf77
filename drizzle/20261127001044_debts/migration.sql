ALTER TABLE "balances" ADD COLUMN "owed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD COLUMN "refunded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "balances" DROP CONSTRAINT "balances_not_negative", ADD CONSTRAINT "balances_not_negative" CHECK ("available" >= -"owed" and "held" >= 0 and "owed" >= 0);