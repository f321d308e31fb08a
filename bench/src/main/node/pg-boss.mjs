// pg-boss, with what its documentation offers for many jobs: insert of many jobs, fetch and complete of whole batches. For idle
// pick-up work() with the shortest polling interval that it accepts.
import PgBoss from "pg-boss";
import { asked, run } from "./load.mjs";

const CONNECTIONS = 8;
const FETCHERS = 2;
const BATCH = 1000;
const QUEUE = "bench";

const boss = new PgBoss({ connectionString: asked.url, schema: asked.schema, max: CONNECTIONS, schedule: false });
boss.on("error", (error) => console.error(error.message));
await boss.start();
await boss.createQueue(QUEUE);

let working = true;
let fetchers = [];

async function fetchAndComplete(take) {
  while (working) {
    const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
    if (jobs.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    jobs.forEach((job) => take(job.data));
    await boss.complete(
      QUEUE,
      jobs.map((job) => job.id),
    );
  }
}

await run({
  async produce(payloads) {
    if (payloads.length === 1) {
      await boss.send(QUEUE, payloads[0]);
    } else {
      await boss.insert(payloads.map((data) => ({ name: QUEUE, data })));
    }
  },

  async work(take) {
    if (asked.kind === "pickup") {
      await boss.work(QUEUE, { pollingIntervalSeconds: 0.5 }, async (jobs) => jobs.forEach((job) => take(job.data)));
    } else {
      fetchers = Array.from({ length: FETCHERS }, () => fetchAndComplete(take));
    }
  },

  async stop() {
    working = false;
    await Promise.all(fetchers);
  },
});
