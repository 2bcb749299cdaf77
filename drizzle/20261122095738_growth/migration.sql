-- Indexes for large tables. On such a database create them before, one by one and without locks, by the same statements with CONCURRENTLY:
-- docs/operating.md, "Upgrading a large database". Then these statements find them and do nothing.
CREATE INDEX IF NOT EXISTS "turns_created" ON "turns" USING brin ("created_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "turns_settled" ON "turns" USING brin ("settled_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_user" ON "payments" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_top_up" ON "payments" ("top_up_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_created" ON "payments" ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_refunded" ON "payments" ("refunded_at") WHERE "refunded_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_created" ON "transfers" USING brin ("created_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_captured" ON "transfers" ("user_id","created_at") WHERE "kind" = 'capture';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "transfers_rare" ON "transfers" ("kind","credit","user_id") WHERE "kind" not in ('hold', 'capture', 'release');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "drafts_open" ON "drafts" ("user_id","updated_at") WHERE "state" = 'open';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "drafts_updated" ON "drafts" USING brin ("updated_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "drafts_group" ON "drafts" ("chat_id") WHERE "chat_id" < 0;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_history" ON "generations" ("user_id","created_at","id","chat_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_live" ON "generations" ("user_id") WHERE "settled_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_ended" ON "generations" ("settled_at") INCLUDE ("model_id","state","created_at") WHERE "settled_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_timed" ON "generations" ("model_id","settled_at") WHERE "settled_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_late" ON "generations" ("arrived_late_at") WHERE "arrived_late_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "generations_group" ON "generations" ("chat_id") WHERE "chat_id" < 0;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "quotes_created" ON "quotes" USING brin ("created_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "reports_open" ON "reports" ("created_at") WHERE "state" = 'open';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "users_referrer" ON "users" ("referrer_id") WHERE "referrer_id" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "updates_chat_lane" ON "updates" ("chat_id","seq") WHERE coalesce("done_at", 'infinity') = 'infinity';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "updates_person_lane" ON "updates" ("person_id","seq") WHERE coalesce("done_at", 'infinity') = 'infinity';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "updates_finished" ON "updates" ("done_at") WHERE "done_at" is not null;--> statement-breakpoint
ALTER TABLE "updates" DROP CONSTRAINT IF EXISTS "updates_seq_key";--> statement-breakpoint
DROP INDEX IF EXISTS "transfers_generation";--> statement-breakpoint
DROP INDEX IF EXISTS "transfers_turn";--> statement-breakpoint
DROP INDEX IF EXISTS "transfers_time";--> statement-breakpoint
DROP INDEX IF EXISTS "generations_user";--> statement-breakpoint
DROP INDEX IF EXISTS "generations_settled";--> statement-breakpoint
DROP INDEX IF EXISTS "generations_running";--> statement-breakpoint
DROP INDEX IF EXISTS "updates_chat";--> statement-breakpoint
DROP INDEX IF EXISTS "updates_person";--> statement-breakpoint
DROP INDEX IF EXISTS "updates_done";--> statement-breakpoint
ALTER TABLE "updates" SET (fillfactor = 70, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.002, autovacuum_analyze_scale_factor = 0.02, vacuum_index_cleanup = on);--> statement-breakpoint
ALTER TABLE "generations" SET (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02, vacuum_index_cleanup = on);--> statement-breakpoint
ALTER TABLE "turns" SET (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02, vacuum_index_cleanup = on);--> statement-breakpoint
ALTER TABLE "balances" SET (fillfactor = 70, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "drafts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "artifacts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "transfers" SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);