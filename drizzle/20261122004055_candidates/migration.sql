CREATE TABLE "task_candidates" (
	"generation_id" text,
	"task_id" text,
	"rank" integer NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL,
	"told_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "task_candidates_pkey" PRIMARY KEY("generation_id","task_id")
);
--> statement-breakpoint
ALTER TABLE "task_candidates" ADD CONSTRAINT "task_candidates_generation_id_generations_id_fkey" FOREIGN KEY ("generation_id") REFERENCES "generations"("id");