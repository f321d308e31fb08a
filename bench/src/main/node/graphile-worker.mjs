// graphile-worker, with what its performance page advises: a local queue of 500 jobs and completions in batches. For idle pick-up,
// where they gain nothing, without.
import { Logger, makeWorkerUtils, run as runWorkers } from "graphile-worker";
import pg from "pg";
import { asked, run } from "./load.mjs";

const CONNECTIONS = 8;

const logger = new Logger(() => (level, message) => (level === "error" ? console.error(message) : undefined));

const pool = new pg.Pool({ connectionString: asked.url, max: CONNECTIONS });
const troubles = (error) => console.error(error.message);
pool.on("error", troubles);
pool.on("connect", (client) => client.on("error", troubles));
const utils = await makeWorkerUtils({ pgPool: pool, schema: asked.schema, logger });
await utils.migrate();

const batching =
  asked.kind === "pickup"
    ? { concurrentJobs: 4 }
    : { concurrentJobs: 24, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };

let runner = null;

await run({
  async produce(payloads) {
    if (payloads.length === 1) {
      await utils.addJob("bench", payloads[0]);
    } else {
      await utils.addJobs(payloads.map((payload) => ({ identifier: "bench", payload })));
    }
  },

  async work(take) {
    runner = await runWorkers({
      pgPool: pool,
      preset: { worker: { schema: asked.schema, maxPoolSize: CONNECTIONS, logger, ...batching } },
      taskList: { bench: async (payload) => take(payload) },
    });
  },

  async stop() {
    await runner.stop();
  },
});
