CREATE TABLE "operator_topics" (
	"chat_id" bigint,
	"name" text,
	"topic_id" integer,
	"told_until" timestamp with time zone,
	CONSTRAINT "operator_topics_pkey" PRIMARY KEY("chat_id","name")
);
--> statement-breakpoint
CREATE TABLE "moved_chats" (
	"from_id" bigint PRIMARY KEY,
	"to_id" bigint NOT NULL
);
