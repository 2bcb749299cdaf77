CREATE TABLE "refund_days" (
	"operator_id" bigint,
	"day" date,
	"refunded" bigint NOT NULL,
	"most" bigint NOT NULL,
	CONSTRAINT "refund_days_pkey" PRIMARY KEY("operator_id","day"),
	CONSTRAINT "refund_days_within_limit" CHECK ("refunded" <= "most")
);
