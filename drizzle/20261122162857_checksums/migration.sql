ALTER TABLE "turns" ADD COLUMN "rates" jsonb;--> statement-breakpoint
ALTER TABLE "balances" ADD COLUMN "checksum" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Written by hand: the checksums of the transfers that are there, as in src/ledger/checksum.ts; top-ups whose state an earlier version had not written.
UPDATE "balances" b SET "checksum" = f.checksum
FROM (
  SELECT user_id, bit_xor(('x' || left(md5(row(key, kind, user_id, debit, credit, amount, generation_id, top_up_id, turn_id, note,
  wallet_id, extract(epoch from created_at))::text), 16))::bit(64)::bigint) AS checksum
  FROM "transfers" GROUP BY user_id
) f WHERE f.user_id = b.user_id;--> statement-breakpoint
UPDATE "top_ups" t SET "state" = 'paid' WHERE "state" <> 'paid' AND EXISTS (SELECT FROM "payments" p WHERE p.top_up_id = t.id);
