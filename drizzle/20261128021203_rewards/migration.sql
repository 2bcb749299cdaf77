CREATE TABLE "code_uses" (
	"user_id" bigint,
	"code" text,
	"is_waiting" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "code_uses_pkey" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
ALTER TABLE "promo_codes" ADD COLUMN "percent" integer;--> statement-breakpoint
ALTER TABLE "promo_codes" ADD COLUMN "batch" text;--> statement-breakpoint
ALTER TABLE "top_ups" ADD COLUMN "bonus" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "partner_percent" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "code_uses_waiting" ON "code_uses" ("user_id") WHERE "is_waiting";--> statement-breakpoint
CREATE INDEX "code_uses_code" ON "code_uses" ("code");--> statement-breakpoint
CREATE INDEX "promo_codes_batch" ON "promo_codes" ("batch") WHERE "batch" is not null;--> statement-breakpoint
ALTER TABLE "code_uses" ADD CONSTRAINT "code_uses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "code_uses" ADD CONSTRAINT "code_uses_code_promo_codes_code_fkey" FOREIGN KEY ("code") REFERENCES "promo_codes"("code");