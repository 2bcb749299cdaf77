CREATE TABLE "bonuses" (
	"kind" text,
	"amount" bigint,
	CONSTRAINT "bonuses_pkey" PRIMARY KEY("kind","amount")
);
--> statement-breakpoint
CREATE TABLE "last_runs" (
	"name" text PRIMARY KEY,
	"done_at" timestamp with time zone,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
-- The amounts of earlier settings are those that were given.
INSERT INTO "bonuses" ("kind", "amount")
SELECT DISTINCT split_part("key", ':', 1), "amount" FROM "transfers"
WHERE "kind" = 'promotion' AND "credit" = 'available' AND split_part("key", ':', 1) IN ('welcome', 'referral');
--> statement-breakpoint
-- Codes that were made before the log of operators' actions existed.
INSERT INTO "operator_actions" ("action", "subject", "details", "created_at")
SELECT 'promo', 'promo:' || p."code", jsonb_build_object('amount', p."amount"::text), p."created_at"
FROM "promo_codes" p
WHERE NOT EXISTS (SELECT FROM "operator_actions" a WHERE a."action" = 'promo' AND a."subject" = 'promo:' || p."code");
