CREATE TABLE "unmatched_payments" (
	"provider" text,
	"charge_id" text,
	"user_id" bigint,
	"charge" bigint NOT NULL,
	"currency" text NOT NULL,
	"named" text NOT NULL,
	"top_up_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "unmatched_payments_pkey" PRIMARY KEY("provider","charge_id")
);
--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "unmatched_payments" ADD CONSTRAINT "unmatched_payments_top_up_id_top_ups_id_fkey" FOREIGN KEY ("top_up_id") REFERENCES "top_ups"("id");