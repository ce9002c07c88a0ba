/** What AWS publishes of its limits, as they are unless one asks for more. */
export const limits = {
  /**
   * Units a second of one partition, of a table or of an index: a write of up to 1 KiB is one. What is saved up for bursts
   * does not help a single partition, and an index that is over throttles the writes of its table.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
   * https://repost.aws/knowledge-center/dynamodb-spiky-workloads-short-intervals
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
   */
  partitionWrites: 1_000,
  /**
   * Write units a second of a table, and of each index of it.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
   */
  tableWrites: 40_000,
  /**
   * Write units a second that a new table takes at once, and so does an index; in half an hour at most twice as many as
   * ever before. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
   */
  newTableWrites: 4_000,
  doublingMinutes: 30,
  /**
   * Requests a second of all APIs of an account in a region, and how many may come at once on top of it. Some regions
   * have 2,500 and 1,250. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   */
  gatewayRate: 10_000,
  gatewayBurst: 5_000,
  /** Calls at once of all functions of an account. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  concurrency: 1_000,
  /**
   * Calls a second for each of those, and how many environments a function gets in ten seconds.
   * https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html
   */
  callsOfConcurrency: 10,
  environmentsInTenSeconds: 1_000,
} as const;
