CREATE TABLE "broadcast_recipients" (
	"broadcast_id" text,
	"user_id" bigint,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "broadcast_recipients_pkey" PRIMARY KEY("broadcast_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "quiet_days" integer DEFAULT 14 NOT NULL;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "button" jsonb;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "start_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "broadcasts" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "broadcast_recipients_user" ON "broadcast_recipients" ("user_id");--> statement-breakpoint
ALTER TABLE "broadcast_recipients" ADD CONSTRAINT "broadcast_recipients_broadcast_id_broadcasts_id_fkey" FOREIGN KEY ("broadcast_id") REFERENCES "broadcasts"("id");--> statement-breakpoint
ALTER TABLE "broadcast_recipients" ADD CONSTRAINT "broadcast_recipients_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");