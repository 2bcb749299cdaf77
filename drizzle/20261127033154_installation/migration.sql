CREATE TABLE "installation" (
	"id" integer PRIMARY KEY,
	"bot_id" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL
);
