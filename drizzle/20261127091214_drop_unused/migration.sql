DROP TABLE "budgets";--> statement-breakpoint
ALTER TABLE "updates" DROP COLUMN "abandoned";