ALTER TABLE "users" ADD COLUMN "answers_accepted_at" timestamp with time zone;--> statement-breakpoint
-- Written by hand: whoever has paid for an answer knows that answers cost money.
UPDATE "users" SET "answers_accepted_at" = now()
WHERE EXISTS (SELECT FROM "turns" WHERE "turns"."user_id" = "users"."id" AND "turns"."captured" > 0);
