CREATE TABLE "wallets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "wallets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"chat_id" bigint,
	"title" text NOT NULL,
	"is_on" boolean DEFAULT true NOT NULL,
	"daily_cap" bigint,
	"available" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallets_not_negative" CHECK ("available" >= 0 and "held" >= 0)
);
--> statement-breakpoint
ALTER TABLE "transfers" ADD COLUMN "wallet_id" bigint;--> statement-breakpoint
ALTER TABLE "drafts" ADD COLUMN "by_group" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "wallet_id" bigint;--> statement-breakpoint
CREATE INDEX "transfers_group_held" ON "transfers" ("user_id","created_at") WHERE "wallet_id" is not null and "kind" = 'hold';--> statement-breakpoint
CREATE INDEX "transfers_wallet" ON "transfers" ("wallet_id","created_at") WHERE "wallet_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_of_owner" ON "wallets" ("owner_id","chat_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_on" ON "wallets" ("chat_id") WHERE "is_on";--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_wallet_id_wallets_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id");--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_wallet_id_wallets_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id");