CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"owner_id" bigint NOT NULL,
	"available" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"owed" bigint DEFAULT 0 NOT NULL,
	"checksum" bigint DEFAULT 0 NOT NULL,
	"open_orders" integer DEFAULT 0 NOT NULL,
	"spent_on" date,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"repeated_id" text,
	"repeated_at" timestamp with time zone,
	"is_on" boolean DEFAULT true NOT NULL,
	"chat_id" bigint,
	"title" text DEFAULT '' NOT NULL,
	"daily_cap" bigint,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "accounts_not_negative" CHECK ("available" >= -"owed" and "held" >= 0 and "owed" >= 0 and "open_orders" >= 0 and "spent_today" >= 0)
);
--> statement-breakpoint
CREATE TABLE "wallet_members" (
	"account_id" bigint,
	"user_id" bigint,
	"spent_on" date NOT NULL,
	"spent" bigint NOT NULL,
	CONSTRAINT "wallet_members_pkey" PRIMARY KEY("account_id","user_id"),
	CONSTRAINT "wallet_members_not_negative" CHECK ("spent" >= 0)
);
--> statement-breakpoint
INSERT INTO "accounts" ("id", "kind", "owner_id", "available", "held", "is_on", "chat_id", "title", "daily_cap", "created_at") OVERRIDING SYSTEM VALUE
	SELECT "id", 'group', "owner_id", "available", "held", "is_on", "chat_id", "title", "daily_cap", "created_at" FROM "wallets";--> statement-breakpoint
SELECT setval('accounts_id_seq', coalesce(max("id"), 1), max("id") is not null) FROM "accounts";--> statement-breakpoint
INSERT INTO "accounts" ("kind", "owner_id", "available", "held", "owed", "checksum", "open_orders", "created_at")
	SELECT 'user', b."user_id", b."available", b."held", b."owed", b."checksum", coalesce(g."live", 0), u."created_at"
	FROM "balances" b JOIN "users" u ON u."id" = b."user_id"
		LEFT JOIN (SELECT "user_id", count(*) AS "live" FROM "generations" WHERE "settled_at" IS NULL GROUP BY "user_id") g ON g."user_id" = b."user_id"
	ORDER BY b."user_id";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_user_id_balances_user_id_fkey";--> statement-breakpoint
ALTER TABLE "transfers" DROP CONSTRAINT "transfers_wallet_id_wallets_id_fkey";--> statement-breakpoint
ALTER TABLE "generations" DROP CONSTRAINT "generations_wallet_id_wallets_id_fkey";--> statement-breakpoint
DROP TABLE "balances";--> statement-breakpoint
DROP TABLE "wallets";--> statement-breakpoint
DROP INDEX "transfers_captured";--> statement-breakpoint
DROP INDEX "transfers_group_held";--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "spent_on" date;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "spent_on" date;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_user" ON "accounts" ("owner_id") WHERE "kind" = 'user';--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_group" ON "accounts" ("owner_id","chat_id") WHERE "kind" = 'group';--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_group_on" ON "accounts" ("chat_id") WHERE "kind" = 'group' and "is_on";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_id_users_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_wallet_id_accounts_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "accounts"("id");--> statement-breakpoint
ALTER TABLE "wallet_members" ADD CONSTRAINT "wallet_members_account_id_accounts_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id");--> statement-breakpoint
ALTER TABLE "wallet_members" ADD CONSTRAINT "wallet_members_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_wallet_id_accounts_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "accounts"("id");